import { newId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { Gateway } from '../../ports/money/gateways.ts';
import type { Entry } from '../ledger/entries.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { bookArrival, suspenseOf } from '../suspense/suspense.ts';
import { bookedOf, chargebackEntries, chargebackFactOf, isInOtherCurrency } from './book-chargeback.ts';
import type { Chargeback, ListedChargeback } from './chargeback.ts';
import { isUndone } from './top-up-refund.ts';
import type { TopUp } from './top-up.ts';
import type { PaidPart } from './judge-payment.ts';

export type FollowUpNeeds = Pick<
  Context,
  'clock' | 'ledger' | 'log' | 'metrics' | 'settings' | 'suspense' | 'topUpRefunds' | 'topUps' | 'transactions'
>;

/** How long after a look the server asks again about money that may still come back. */
const OPEN_LOOK_MS = 24 * 3_600_000;

/**
 * Asks the gateway about a top-up whose money is booked: what it has taken back of the payment, and whether somebody has paid
 * once more. Each of these is booked once, under the gateway's own id of it. Refuses `gateway_unavailable`.
 */
export async function followUp(ctx: FollowUpNeeds, gateway: Gateway, topUp: TopUp): Promise<void> {
  const entries = await ctx.ledger.listAbout(topUp.id);
  const chargebacks = await foreignOf(ctx, topUp, (await gateway.chargebacks?.list(topUp)) ?? []);
  const payments = (await gateway.paymentsOf?.(topUp)) ?? [];
  for (const chargeback of chargebacks)
    await bookChargeback(ctx, topUp, chargeback, bookedOf(topUp, chargeback, entries));
  for (const payment of furtherOf(topUp, payments)) await suspendFurther(ctx, topUp, payment);
  const mayComeBack = chargebacks.some(({ state }) => state === 'open');
  await ctx.topUps.noteChargebacks(topUp.id, chargebacks, mayComeBack ? ctx.clock.now() + OPEN_LOOK_MS : null);
}

/**
 * What the gateway has taken back without a refund of ours. If the wallet has the money of a refund again, all that the gateway
 * still takes for it is foreign too.
 */
async function foreignOf(
  { ledger, topUpRefunds }: FollowUpNeeds,
  topUp: TopUp,
  listed: readonly ListedChargeback[],
): Promise<readonly Chargeback[]> {
  const foreign: Chargeback[] = [];
  for (const { names, ...chargeback } of listed) {
    const named = names === null ? null : await topUpRefunds.find(names);
    const refund = named?.topUpId === topUp.id ? named : null;
    if (refund !== null && !isUndone(refund)) continue;
    const key = chargebackFactOf(topUp.gateway, chargeback.id);
    // One that has failed like our refund has taken nothing. If it was booked meanwhile, its return must be booked too.
    const hasFailedToo = refund !== null && chargeback.state === 'returned' && (await ledger.find([key])).length === 0;
    if (!hasFailedToo) foreign.push(chargeback);
  }
  return foreign;
}

async function bookChargeback(ctx: FollowUpNeeds, topUp: TopUp, chargeback: Chargeback, booked: readonly Entry[]) {
  const { ledger, log, metrics } = ctx;
  const { id, gateway, vendorId, liveMode } = topUp;
  const about = { topUp: id, gateway, vendorId, liveMode, chargeback };
  // Only a person knows whose loss this is.
  if (!(await isCredited(ctx, topUp))) return log.error(about, NOT_CREDITED);
  const noted = topUp.chargebacks?.find((one) => one.id === chargeback.id);
  if (isInOtherCurrency(chargeback, booked) && noted?.currency !== chargeback.currency)
    log.error(about, OTHER_CURRENCY);
  for (const entry of chargebackEntries(topUp, chargeback, booked)) {
    if (!(await postEntry(ledger, entry))) continue;
    log.error({ ...about, booked: entry.kind }, TAKEN_BACK);
    metrics.count('chargebacks_total', { gateway, cause: chargeback.cause, booked: entry.kind });
  }
}

/** Says whether the wallet got the money, at once or by a decision of finance about its suspense. */
async function isCredited({ transactions }: FollowUpNeeds, { id, vendorId, liveMode, state }: TopUp): Promise<boolean> {
  if (state === 'succeeded') return true;
  const credit = { vendorId, liveMode, kinds: ['suspense_credit'], about: id } as const;
  return (await transactions.list(credit, { limit: 1, after: null })).items.length > 0;
}

const NOT_CREDITED = 'a gateway takes back money that was never credited, so finance must look at its suspense';
const OTHER_CURRENCY =
  'a gateway names another currency for money that it has taken back, so finance must adjust the wallet by the difference';
const TAKEN_BACK = 'a gateway has taken back or returned money of a payment, and the vendor has paid it or got it';

/**
 * The payments beside the one that is booked. Older top-ups do not name it: it is the first one that fits the top-up, or the first
 * one that does not.
 */
export function furtherOf(topUp: TopUp, payments: readonly PaidPart[]): PaidPart[] {
  // The booked payment may have been refunded, and then it is not listed any more.
  if (topUp.paymentId !== undefined) return payments.filter(({ id }) => id !== topUp.paymentId);
  const isCredited = topUp.state === 'succeeded';
  const fits = ({ amount, currency }: PaidPart): boolean => amount === topUp.amount && currency === topUp.currency;
  const booked = payments.find((payment) => fits(payment) === isCredited);
  return payments.filter((payment) => payment !== booked);
}

/** Stores a further payment of a top-up as money that belongs to nobody. */
async function suspendFurther(ctx: FollowUpNeeds, topUp: TopUp, { id: paymentId, amount, currency }: PaidPart) {
  const { clock, log, settings, suspense } = ctx;
  const arrived = { id: newId('sus'), paymentId, amount, currency, createdAt: clock.now() };
  const row = suspenseOf(topUp, arrived, settings.suspense.alertMs);
  if (!(await suspense.add(row, bookArrival(row)))) return;
  const { id, gateway, vendorId } = topUp;
  log.error({ topUp: id, gateway, vendorId, payment: paymentId, amount, currency }, PAID_AGAIN);
}

const PAID_AGAIN =
  'a top-up was paid more than once, so the further money is in suspense until somebody decides about it';
