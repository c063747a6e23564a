import { changesOf } from '../../domain/audit.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { bookOf, courierAccount } from '../ledger/accounts.ts';
import type { Balance } from '../ledger/decide.ts';
import { postAdjustment, type OperatorAdjustment, type Post } from './post-adjustment.ts';

type Needs = Pick<Context, 'audit' | 'couriers' | 'ledger'>;

/**
 * Books an adjustment into the earnings of a courier or out of them, and returns their balance then. The courier reads its
 * reason, and the next batch of payouts counts it. What was paid out cannot be taken back. Refuses `courier_not_found`, and
 * as `postAdjustment` does.
 */
export async function adjustEarnings(
  ctx: Needs,
  { courierId, ...adjustment }: OperatorAdjustment & { readonly courierId: CourierId },
): Promise<Balance> {
  const { currency, amount, reason, reference } = adjustment;
  const { liveMode } = await ctx.couriers.get(courierId);
  const book = bookOf(liveMode, currency);
  const account = courierAccount('earnings', courierId, book);
  const changes = changesOf(null, { amount, currency, reason, reference });
  const audit = ctx.audit.draft({ action: 'earnings.adjust', objectId: courierId, vendorId: null, liveMode, changes });
  const post: Post = (command) => ctx.ledger.post(command, audit);
  await postAdjustment(post, { account, owner: courierId, vendorId: null, book }, adjustment);
  return ctx.ledger.balance(account);
}
