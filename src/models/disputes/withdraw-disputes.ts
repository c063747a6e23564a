import type { VendorId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { releaseDisputed } from '../../money/disputes/book-dispute.ts';
import { moveDispute, OPEN_DISPUTES, type Dispute } from '../../money/disputes/dispute.ts';
import type { Clock } from '../../ports/process.ts';
import { disputeOf } from './dispute-rows.ts';
import { BY_VENDOR, DISPUTES } from './dispute-shapes.ts';
import { replaceAndBook } from './dispute-store.ts';

/** Disputes of one read. */
const BATCH = 500;

/** Withdraws all open disputes of a vendor, which gives the reserved money back to the revenue. The entries stay. */
export async function withdrawDisputes(on: Mongo, clock: Clock, vendorId: VendorId): Promise<void> {
  const open = { vendorId, liveMode: { $in: [true, false] }, state: { $in: [...OPEN_DISPUTES] } };
  for (;;) {
    const rows = on.collection(DISPUTES).find(open, { ...EXACT, hint: BY_VENDOR });
    const disputes = (await rows.limit(BATCH).toArray()).map(disputeOf);
    if (disputes.length === 0) return;
    for (const dispute of disputes) await withdraw(on, clock, dispute);
  }
}

/** Another process may have moved the dispute in the meantime. Then the next read shows whether it is still open. */
async function withdraw(mongo: Mongo, clock: Clock, before: Dispute): Promise<void> {
  const moved = moveDispute(before, 'withdraw', clock.now());
  if (moved !== null) await replaceAndBook({ mongo, clock }, moved.dispute, releaseDisputed(before), []);
}
