import type { PayoutId } from '../../domain/ids.ts';
import { endsOf, judgeTransfers, judgeUnlisted } from '../../money/reconcile/judge-transfers.ts';
import { NOTHING_COMPARED, withMore, type Comparison } from '../../money/reconcile/reconciliation.ts';
import type { Context } from '../../ports/context.ts';
import { DAY_MS, HOUR_MS, isOn, type Day } from './day.ts';
import { ourPages, theirPages } from './each-page.ts';

type Needs = Pick<Context, 'ledger' | 'log' | 'payouts'>;

/** Most transfers succeed within a day after they were made. The gateway is asked about each one that took longer. */
const BEFORE_MS = 25 * HOUR_MS;
const AFTER_MS = HOUR_MS;

/** Compares the transfers of a day with the payouts that are paid. It changes nothing. */
export async function compareTransfers(ctx: Needs, day: Day): Promise<Comparison> {
  const { ledger, payouts } = ctx;
  const { gateway, liveMode, from } = day;
  const { transfers } = gateway;
  let sum = NOTHING_COMPARED;
  if (transfers === undefined) return sum;
  const listed = new Set<PayoutId>();
  const span = { liveMode, from: from - BEFORE_MS, to: from + DAY_MS + AFTER_MS };
  for await (const page of theirPages(ctx, day, (after) => transfers.list(span, after))) {
    for (const { payoutId } of page) if (payoutId !== null) listed.add(payoutId);
    const own = page.filter(isOn(day));
    const entries = await ledger.find(own.flatMap(({ payoutId }) => (payoutId === null ? [] : endsOf(payoutId))));
    const judged = judgeTransfers(own, entries, liveMode);
    const unmatched = judged.filter((one) => one !== null);
    sum = withMore(sum, judged.length - unmatched.length, unmatched);
  }
  const of = { gateway: gateway.name, liveMode, from, to: from + DAY_MS };
  for await (const page of ourPages((request) => payouts.listPaid(of, request)))
    for (const payout of page.filter(({ id }) => !listed.has(id))) {
      const unmatched = judgeUnlisted(payout, await transfers.find(payout.id));
      sum = withMore(sum, 0, unmatched === null ? [] : [unmatched]);
    }
  return sum;
}
