import { byVisit } from '../../src/domain/deliveries/stop.ts';
import type { DeliveryView, StopView } from '../shared/wire.ts';

/** What people call a delivery: the vendor's own order id, or the end of ours. */
export function nameOf({ id, external_id: externalId }: Pick<DeliveryView, 'id' | 'external_id'>): string {
  return externalId ?? `…${id.slice(-6)}`;
}

/** An address on one line; without one, its coordinates. */
export function addressOf({ address, coordinates }: Pick<StopView, 'address' | 'coordinates'>): string {
  if (address === null) return `${coordinates.lat.toFixed(4)}, ${coordinates.lng.toFixed(4)}`;
  if (typeof address === 'string') return address;
  return [address['street'], address['street2'], address['city']].filter((part) => part !== undefined).join(', ');
}

/** The pickup and where it goes: the last drop-off. */
export function endsOf({ pickup, drop_off: dropOffs }: DeliveryView): { from: string; to: string } {
  const last = byVisit(dropOffs).at(-1);
  return { from: addressOf(pickup), to: last === undefined ? '' : addressOf(last) };
}
