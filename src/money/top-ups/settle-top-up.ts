import { newId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { Arrived } from '../../ports/money/top-ups.ts';
import { bookOf, platformAccount, vendorAccount } from '../ledger/accounts.ts';
import { move, type Entry } from '../ledger/entries.ts';
import { bookArrival, creditFactOf, suspenseOf, type Suspense } from '../suspense/suspense.ts';
import { findGateway } from '../payouts/find-gateway.ts';
import { asBooked, bookingFactsOf } from './as-booked.ts';
import { followUp } from './follow-up.ts';
import { judgePayment, type Verdict } from './judge-payment.ts';
import type { TopUp } from './top-up.ts';

export type SettleNeeds = Pick<
  Context,
  | 'clock'
  | 'gateways'
  | 'ledger'
  | 'log'
  | 'metrics'
  | 'settings'
  | 'suspense'
  | 'topUpRefunds'
  | 'topUps'
  | 'transactions'
>;

/**
 * Asks the gateway about a top-up, and does what follows. The transaction that ends the top-up books its money, so nothing is
 * booked twice or lost. Once it is booked, the server asks what came later. Refuses `gateway_unavailable` if the gateway does not answer.
 */
export async function settleTopUp(ctx: SettleNeeds, topUp: TopUp): Promise<void> {
  const { clock, gateways, log, metrics, settings } = ctx;
  const gateway = findGateway(gateways, topUp);
  if (gateway === null) {
    log.error({ topUp: topUp.id, gateway: topUp.gateway }, 'a top-up waits for a gateway that is not configured');
    return;
  }
  if (isSettled(topUp)) return followUp(ctx, gateway, topUp);
  const payment = await gateway.verify(topUp);
  const judged = judgePayment(topUp, payment, clock.now(), settings.topUps);
  const [booked] = judged.is === 'wait' ? [] : await ctx.ledger.find(bookingFactsOf(topUp));
  const verdict = asBooked(topUp, judged, booked);
  const looksLater = gateway.paymentsOf !== undefined || gateway.chargebacks !== undefined;
  const isNews = await follow(ctx, topUp, verdict, { isFinal: !looksLater, isBooked: booked !== undefined });
  if (isNews) metrics.count('top_ups_settled_total', { gateway: topUp.gateway, result: resultOf(verdict) });
  // Somebody may have paid twice, or got the money back, before this look.
  const settled = looksLater ? await ctx.topUps.find(topUp.id) : null;
  if (settled !== null && isSettled(settled)) await followUp(ctx, gateway, settled);
}

/** Says whether the money of a top-up is booked. */
function isSettled({ state, reason }: TopUp): boolean {
  return state === 'succeeded' || reason === 'mismatch';
}

function resultOf(verdict: Verdict): string {
  return verdict.is === 'end' ? verdict.state : verdict.is;
}

/**
 * Does what the verdict says. Returns false if nothing has changed by it.
 * @param about `isFinal` says whether the server is done with a top-up whose money is booked, and `isBooked` whether it is
 */
async function follow(
  ctx: SettleNeeds,
  topUp: TopUp,
  verdict: Verdict,
  { isFinal, isBooked }: { readonly isFinal: boolean; readonly isBooked: boolean },
): Promise<boolean> {
  const { topUps, log } = ctx;
  const { id, gateway, vendorId } = topUp;
  switch (verdict.is) {
    case 'credit': {
      const arrived = isBooked ? undefined : creditOf(topUp);
      return topUps.end(id, { state: 'succeeded', reason: null, isFinal, paymentId: verdict.paymentId, arrived });
    }
    case 'suspend': {
      const { paymentId, amount, currency } = verdict;
      const arrived = isBooked ? undefined : suspenseFor(ctx, topUp, { amount, currency });
      const isNews = await topUps.end(id, { state: 'failed', reason: 'mismatch', isFinal, paymentId, arrived });
      if (!isNews) return false;
      const asked = { amount: topUp.amount, currency: topUp.currency };
      log.error({ topUp: id, gateway, vendorId, asked, paid: { amount, currency } }, MISMATCH);
      return true;
    }
    case 'distrust':
      log.error({ topUp: id, gateway, vendorId }, 'a gateway answered about another payment than the one asked for');
      return true;
    case 'end':
      if (verdict.reason === 'unconfirmed') log.error({ topUp: id, gateway, vendorId }, UNCONFIRMED);
      return topUps.end(id, verdict);
    case 'wait':
      await topUps.markPaid(id, verdict.isPaid);
      return false;
  }
}

const MISMATCH = 'a payment differs from its top-up, so its money is in suspense until somebody decides about it';
const UNCONFIRMED = 'a gateway has not confirmed a payment for too long, so the server stops asking';

function creditOf(topUp: TopUp): Arrived {
  const { id, vendorId, liveMode, amount, currency } = topUp;
  const book = bookOf(liveMode, currency);
  const postings = move(amount, platformAccount('clearing', book), vendorAccount('wallet', vendorId, book));
  const entry: Entry = { key: creditFactOf(id), kind: 'top_up', book, vendorId, postings, about: id, reason: null };
  return { command: { do: 'post', entry }, suspense: null };
}

/** Money that belongs to nobody yet. Finance decides about it. */
function suspenseFor(
  { clock, settings }: SettleNeeds,
  topUp: TopUp,
  paid: Pick<Suspense, 'amount' | 'currency'>,
): Arrived {
  const suspense = suspenseOf(topUp, { id: newId('sus'), ...paid, createdAt: clock.now() }, settings.suspense.alertMs);
  return { command: bookArrival(suspense), suspense };
}
