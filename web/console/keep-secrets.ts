import type { DeliveryView, StopView } from '../shared/wire.ts';

/**
 * Adds the known tracking links, PINs and legs to a view, because events, snapshots and lists do not contain them. A link
 * never changes. A PIN changes only with the phone of the contact, and the legs only with the places of the stops.
 */
export function keepSecrets(known: DeliveryView | undefined, next: DeliveryView): DeliveryView {
  const before = new Map(known?.drop_off.map((stop) => [stop.stop, stop]));
  const legs = next.legs ?? (known !== undefined && hasSamePlaces(known, next) ? known.legs : undefined);
  return { ...next, ...(legs && { legs }), drop_off: next.drop_off.map((stop) => keepAt(before.get(stop.stop), stop)) };
}

function hasSamePlaces(known: DeliveryView, next: DeliveryView): boolean {
  const placesOf = ({ pickup, drop_off: dropOffs }: DeliveryView) =>
    JSON.stringify([pickup, ...dropOffs].map(({ coordinates }) => coordinates));
  return placesOf(known) === placesOf(next);
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
