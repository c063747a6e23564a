import type { DeliveryView, StopView } from '../shared/wire.ts';

/**
 * Adds the known tracking links and PINs to a view, because events, snapshots and lists do not contain them. A link never
 * changes, and a PIN changes only with the phone of the contact.
 */
export function keepSecrets(known: DeliveryView | undefined, next: DeliveryView): DeliveryView {
  const before = new Map(known?.drop_off.map((stop) => [stop.stop, stop]));
  return { ...next, drop_off: next.drop_off.map((stop) => keepAt(before.get(stop.stop), stop)) };
}

function keepAt(known: StopView | undefined, next: StopView): StopView {
  const url = next.tracking_url ?? known?.tracking_url;
  const linked = url === undefined ? next : { ...next, tracking_url: url };
  const { verification } = linked;
  const had = known?.verification?.pin;
  const isSame = had?.type === verification?.pin.type && known?.contact?.phone === next.contact?.phone;
  if (verification === null || verification.pin.value !== undefined || had?.value === undefined || !isSame)
    return linked;
  return { ...linked, verification: { ...verification, pin: { ...verification.pin, value: had.value } } };
}
