import { newId, type DeliveryId, type VendorId } from '../../../src/domain/ids.ts';
import type { EventFilter, EventLog } from '../../../src/ports/deliveries.ts';
import { NOON } from '../../builders.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;

/** Calls of every method of the log. */
export function eventLogCalls(
  eventLog: EventLog,
  vendorId: VendorId,
  deliveryId: DeliveryId,
  now: number,
): Calls<EventLog> {
  return {
    follow: async () => {
      const stop = await eventLog.follow(
        () => undefined,
        () => undefined,
      );
      stop();
    },
    list: async () => {
      for (const id of ['del_7' as const, deliveryId]) await eventLog.list(id, 2, LIMIT);
    },
    findOwn: () => eventLog.findOwn({ vendorId, liveMode: true }, newId('evt')),
    listOwn: async () => {
      const own = { vendorId, liveMode: true };
      const filters: EventFilter[] = [own, { ...own, from: NOON, to: now }, { ...own, deliveryId }];
      for (const type of ['delivered', 'courier.assigned'] as const)
        filters.push({ ...own, type }, { ...own, type, from: NOON, to: now });
      for (const filter of filters) {
        await turnPages((after) => eventLog.listOwn(filter, { limit: LIMIT, after }));
      }
    },
  };
}
