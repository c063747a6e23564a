import { byVisit } from '../../src/domain/deliveries/stops/stop.ts';
import type { DeliveryView, StopView } from '../shared/wire.ts';

/** The name of a delivery: the order id of the vendor, or the end of its id. */
export function nameOf({ id, external_id: externalId }: Pick<DeliveryView, 'id' | 'external_id'>): string {
  return externalId ?? `…${id.slice(-6)}`;
}

/** The address in one line, or the coordinates if there is no address. */
export function addressOf({ address, coordinates }: Pick<StopView, 'address' | 'coordinates'>): string {
  if (address === null) return `${coordinates.lat.toFixed(4)}, ${coordinates.lng.toFixed(4)}`;
  if (typeof address === 'string') return address;
  return [address['street'], address['street2'], address['city']].filter((part) => part !== undefined).join(', ');
}

/** The pickup and the last drop-off. */
export function endsOf({ pickup, drop_off: dropOffs }: DeliveryView): { from: string; to: string } {
  const last = byVisit(dropOffs).at(-1);
  return { from: addressOf(pickup), to: last === undefined ? '' : addressOf(last) };
}
