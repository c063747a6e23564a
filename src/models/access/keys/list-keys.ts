import type { VendorId } from '../../../domain/ids.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../../engines/pages.ts';
import type { ApiKey } from '../../../ports/access.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import { VENDOR_KEYS } from '../credential-shapes.ts';
import { apiKeyOf } from './key-rows.ts';

/** The keys of a vendor in one mode, newest first. Ended keys are among them until their rows are deleted. */
export async function listKeys(
  mongo: Mongo,
  vendorId: VendorId,
  liveMode: boolean,
  { limit, after }: PageRequest,
): Promise<Page<ApiKey>> {
  const order = { createdAt: -1, keyId: -1 } as const;
  const rows = await mongo
    .collection(VENDOR_KEYS)
    .find({ vendorId, liveMode, ...rowsAfter(after, order) })
    .sort(order)
    .limit(limit + 1)
    .toArray();
  return pageOf(rows.map(apiKeyOf), limit, markOfCreated);
}
