import { isSuspendedByStaff } from '../../domain/couriers/not-active.ts';
import type { BankAccount } from '../../domain/couriers/bank-account.ts';
import { newId, type CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { PayoutBirth } from '../../ports/money/payouts.ts';
import { bookOf } from '../ledger/accounts.ts';
import { bookPayout } from './book-payout.ts';
import { transferringIn } from './find-gateway.ts';
import { listUnpaid } from './list-unpaid.ts';
import { COURIER_SUSPENDED, type Payout, type PayoutBatch } from './payout.ts';

export type MakeNeeds = Pick<
  Context,
  'bankAccounts' | 'clock' | 'couriers' | 'earnings' | 'gateways' | 'log' | 'payouts' | 'settings'
>;

const UNPAID =
  'couriers have earnings and no bank account in their currency, so no batch pays these; set an account in this currency and ask for its batch, or exchange them with `adjust-earnings`';
const NO_GATEWAY = 'configure one for this process, or stop it, so that another process makes the batch';
const UNREAD =
  'earnings cannot be read, so a batch goes on without them; the next one pays the courier, or names what none pays';
/** Earnings that could not be read this often are left out of a batch. */
const MOST_FAILURES = 5;
/** Couriers whose payouts share a transaction. */
const PAGE = 50;

/**
 * Makes the payouts of the next couriers of a batch: all that each has earned, if their bank account may be used. The
 * money is on its way from then on, so that no other batch pays it too. A payout above the limit or of a courier whom
 * staff have suspended waits for an approval. If a courier has less once it is booked, nothing is made, and the next turn
 * reads all of them again. The last turn logs the earnings that no batch pays. It asks
 * no gateway, so any process can do it.
 */
export async function makePayouts(ctx: MakeNeeds, batch: PayoutBatch): Promise<void> {
  const gateway = batch.gateway ?? transferringIn(ctx, batch)?.name;
  // An older process that was configured otherwise took the request.
  if (gateway === undefined)
    throw new Error(`no gateway makes transfers in the mode and the currency of this batch; ${NO_GATEWAY}`);
  const accounts = await ctx.bankAccounts.list(batch, PAGE);
  const now = ctx.clock.now();
  const usable = accounts.filter(({ usableAt }) => usableAt <= now);
  const births = await Promise.all(
    usable.map((account) =>
      orLeaveOut(ctx, batch, { courierId: account.courierId }, () => bear(ctx, { ...batch, gateway }, account)),
    ),
  );
  const after = accounts.length < PAGE ? null : (accounts.at(-1)?.courierId ?? null);
  // Read before, because a batch that is made has no further turn.
  const listed = after === null ? await orLeaveOut(ctx, batch, {}, () => listUnpaid(ctx, batch.liveMode)) : null;
  const unpaid = listed ?? [];
  const isMade = await ctx.payouts.makePage(
    batch,
    births.filter((birth) => birth !== null),
    after,
  );
  if (isMade && unpaid.length > 0) ctx.log.error({ batch: batch.id, unpaid }, UNPAID);
}

/** Reads earnings for a batch. If they cannot be read, that stops the batch for a few tries only. Then the result is null. */
async function orLeaveOut<T>(
  { log }: MakeNeeds,
  { id, failures }: PayoutBatch,
  about: { readonly courierId?: CourierId },
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (failures < MOST_FAILURES) throw error;
    log.error({ batch: id, ...about, error }, UNREAD);
    return null;
  }
}

/** The payout of a courier; null if they have not earned enough. */
async function bear(
  { clock, couriers, earnings, settings }: MakeNeeds,
  { id: batchId, liveMode, currency, requestedBy, gateway }: PayoutBatch & Pick<Payout, 'gateway'>,
  { courierId, sealedDetails, last4 }: BankAccount,
): Promise<PayoutBirth | null> {
  const { approvalAmount, approvalMs, minAmount } = settings.payouts;
  const balances = await earnings.balances(courierId);
  const earned = balances.find(({ book }) => book === bookOf(liveMode, currency));
  if (earned === undefined || earned.amount < minAmount) return null;
  const { amount } = earned;
  const isSuspended = isSuspendedByStaff(await couriers.find(courierId));
  const isHeld = isSuspended || amount > approvalAmount;
  const now = clock.now();
  const payout: Payout = {
    id: newId('pay'),
    batchId,
    courierId,
    liveMode,
    currency,
    amount,
    gateway,
    state: isHeld ? 'awaiting_approval' : 'pending',
    sealedDetails,
    last4,
    requestedBy,
    approvedBy: null,
    reason: isSuspended ? COURIER_SUSPENDED : null,
    looks: 0,
    failures: 0,
    dueAt: isHeld ? now + approvalMs : now,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  return { payout, command: bookPayout(payout, 'reserve') };
}
