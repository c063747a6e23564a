import type { VendorId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { transact } from '../../engines/transact.ts';
import { releaseDisputed } from '../../money/disputes/book-dispute.ts';
import { moveDispute, OPEN_DISPUTES, type Dispute } from '../../money/disputes/dispute.ts';
import type { Clock } from '../../ports/process.ts';
import { bookAll, Stale, unlessStale } from '../ledger/book-along.ts';
import { disputeOf, replaceDispute } from './dispute-rows.ts';
import { BY_VENDOR, DISPUTES } from './dispute-shapes.ts';

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
async function withdraw(on: Mongo, clock: Clock, before: Dispute): Promise<void> {
  const moved = moveDispute(before, 'withdraw', clock.now());
  if (moved === null) return;
  await unlessStale(() =>
    transact(on, clock, async (session) => {
      if (!(await replaceDispute(on, session, moved.dispute))) throw new Stale();
      const passed = await bookAll({ mongo: on, clock }, session, releaseDisputed(before));
      if (passed.includes(false)) throw new Error(`the reserve of ${before.id} cannot be given back`);
    }),
  );
}
