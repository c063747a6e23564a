import type { DeliveryView } from '../shared/wire.ts';

/** Adds the known tracking links to a view, because events and snapshots do not contain them. They never change. */
export function keepLinks(known: DeliveryView | undefined, next: DeliveryView): DeliveryView {
  const links = new Map(known?.drop_off.map(({ stop, tracking_url: url }) => [stop, url]));
  return {
    ...next,
    drop_off: next.drop_off.map((dropOff) => {
      const url = dropOff.tracking_url ?? links.get(dropOff.stop);
      return url === undefined ? dropOff : { ...dropOff, tracking_url: url };
    }),
  };
}
