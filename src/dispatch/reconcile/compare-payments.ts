import type { Entry } from '../../money/ledger/entries.ts';
import { postEntry } from '../../money/ledger/post-entry.ts';
import { feeEntries, withFees } from '../../money/reconcile/gateway-fees.ts';
import {
  factsOf,
  judgeTheirs,
  namePayments,
  NOTHING_COMPARED,
  withMore,
  type Comparison,
  type NamedPayment,
  type Unmatched,
} from '../../money/reconcile/reconciliation.ts';
import type { PaymentName } from '../../money/suspense/suspense.ts';
import type { TopUp } from '../../money/top-ups/top-up.ts';
import type { Context } from '../../ports/context.ts';
import { ourPages, theirPages } from './each-page.ts';
import { DAY_MS, HOUR_MS, isOn, type Day } from './day.ts';

type Needs = Pick<Context, 'ledger' | 'log' | 'topUps'>;

/**
 * A payment may be begun at the gateway a little before our own row, and as late as a page lasts after it. As long before
 * the day may be the first payment of a top-up that is paid again on the day.
 */
const AROUND_MS = 25 * HOUR_MS;

/**
 * Compares the payments of a day, and books once what the gateway kept of each payment that is matched. A payment that was not
 * booked makes its top-up due, so that its gateway is asked about it. So does a further one of a gateway that lists them.
 */
export async function comparePayments(ctx: Needs, day: Day): Promise<Comparison> {
  const { gateway, liveMode, from } = day;
  const span = { liveMode, from: from - AROUND_MS, to: from + DAY_MS + AROUND_MS };
  const [listed, seen] = [new Set<PaymentName>(), new Set<PaymentName>()];
  let sum = NOTHING_COMPARED;
  const { payments } = gateway;
  if (payments === undefined) return sum;
  for await (const page of theirPages(ctx, day, (after) => payments.list(span, after))) {
    const firsts = await ctx.topUps.paymentIdsOf(page.flatMap(({ topUpId }) => topUpId ?? []));
    const entries = await ctx.ledger.find(page.flatMap(factsOf));
    const named = namePayments(page, entries, firsts);
    for (const { name, createdAt } of named) {
      if (name === null) continue;
      listed.add(name);
      if (createdAt < from) seen.add(name);
    }
    // The oldest first, because a further payment is one that came later.
    const payments = named.filter(isOn(day)).toSorted((a, b) => a.createdAt - b.createdAt);
    sum = await addTheirs(ctx, day, sum, { payments, entries }, seen);
  }
  const of = { gateway: gateway.name, liveMode, from, to: from + DAY_MS };
  for await (const page of ourPages((request) => ctx.topUps.listPaid(of, request)))
    sum = withMore(sum, 0, page.filter(({ id }) => !listed.has(id)).map(onlyOurs));
  return sum;
}

async function addTheirs(
  { ledger, topUps }: Needs,
  { gateway, liveMode }: Day,
  sum: Comparison,
  { payments, entries }: { readonly payments: readonly NamedPayment[]; readonly entries: readonly Entry[] },
  seen: Set<PaymentName>,
): Promise<Comparison> {
  const judged = judgeTheirs(payments, entries, liveMode, seen);
  for (const { name } of payments) if (name !== null) seen.add(name);
  const unmatched = judged.filter((one) => one !== null);
  for (const { why, topUpId } of unmatched) {
    if (topUpId === null) continue;
    if (why === 'not_booked') await topUps.report(topUpId, gateway.name, true);
    if (why === 'paid_twice' && gateway.paymentsOf !== undefined) await topUps.reportLater(topUpId, gateway.name);
  }
  const matched = payments.filter((_payment, at) => judged[at] === null);
  const known = new Set(entries.map(({ key }) => key));
  const fees = feeEntries(matched, liveMode).filter(({ key }) => !known.has(key));
  await Promise.all(fees.map((entry) => postEntry(ledger, entry)));
  return { ...withMore(sum, matched.length, unmatched), ...withFees(sum, matched) };
}

function onlyOurs({ id: topUpId, amount, currency }: TopUp): Unmatched {
  return { side: 'ours', why: 'not_listed', topUpId, payoutId: null, gatewayId: null, amount, currency };
}
