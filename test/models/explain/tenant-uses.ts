import type { DeliveryId, VendorId } from '../../../src/domain/ids.ts';
import type { Stores } from '../../../src/models/stores.ts';
import type { Calls } from './calls.ts';

/** Queries that are narrowed to a tenant still find their objects by key. */
export function tenantCalls(
  { tenants, deliveries, eventLog }: Pick<Stores, 'tenants' | 'deliveries' | 'eventLog'>,
  { vendorId, deliveryId }: { readonly vendorId: VendorId; readonly deliveryId: DeliveryId },
): Calls<Stores['tenants']> {
  const tenant = { vendorId, liveMode: true };
  return {
    within: () =>
      tenants.within(tenant, async () => {
        await deliveries.find(deliveryId);
        await deliveries.findMany([deliveryId]);
        await deliveries.list({ ...tenant, search: 'Ada' }, { limit: 20, after: null });
        await eventLog.list(deliveryId, 0, 20);
      }),
  };
}
