import { isSuspendedByStaff } from '../../domain/couriers/not-active.ts';
import type { BankAccount } from '../../domain/couriers/bank-account.ts';
import { newId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { PayoutBirth } from '../../ports/money/payouts.ts';
import type { Amount } from '../amount.ts';
import { currencyOf, isLive } from '../ledger/accounts.ts';
import { bookPayout } from './book-payout.ts';
import { transferringIn } from './find-transfers.ts';
import { COURIER_SUSPENDED, type Payout, type PayoutBatch } from './payout.ts';

export type MakeNeeds = Pick<
  Context,
  'bankAccounts' | 'clock' | 'couriers' | 'earnings' | 'gateways' | 'log' | 'payouts' | 'settings'
>;

/** A courier whose account is looked at: their payout, if they have earned enough, and what no batch pays to this account. */
type Look = { readonly birth: PayoutBirth | null; readonly unpaid: readonly Unpaid[] };
type Unpaid = Pick<Payout, 'courierId' | 'currency' | 'amount'>;

const OTHER_CURRENCY =
  'couriers have earnings in another currency than that of their bank account, so no batch pays these; set an account in this currency and ask for its batch, or exchange them with `adjust-earnings`';
const NO_GATEWAY = 'configure one for this process, or stop it, so that another process makes the batch';
/** A courier whose earnings could not be read this often is left out of a batch. The next batch pays them. */
const MOST_FAILURES = 5;
/** Couriers whose payouts share a transaction. */
const PAGE = 50;

/**
 * Makes the payouts of the next couriers of a batch: all that each has earned, if their bank account may be used. The
 * money is on its way from then on, so that no other batch pays it too. A payout above the limit or of a courier whom
 * staff have suspended waits for an approval. If a courier has less once it is booked, nothing is made, and the next turn
 * reads all of them again. The log names what couriers have earned in another currency than that of their account. It asks
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
  const looks = await Promise.all(usable.map((account) => bearOrLeaveOut(ctx, { ...batch, gateway }, account)));
  const after = accounts.length < PAGE ? null : (accounts.at(-1)?.courierId ?? null);
  const births = looks.flatMap(({ birth }) => birth ?? []);
  const isMade = await ctx.payouts.makePage(batch, births, after);
  const unpaid = looks.flatMap((look) => look.unpaid);
  if (isMade && unpaid.length > 0) ctx.log.error({ batch: batch.id, unpaid }, OTHER_CURRENCY);
}

/** A courier who cannot be paid stops the others for a few tries only. They are paid with the next batch. */
async function bearOrLeaveOut(
  ctx: MakeNeeds,
  batch: PayoutBatch & Pick<Payout, 'gateway'>,
  account: BankAccount,
): Promise<Look> {
  try {
    return await look(ctx, batch, account);
  } catch (error) {
    if (batch.failures < MOST_FAILURES) throw error;
    const about = { batch: batch.id, courierId: account.courierId, error };
    ctx.log.error(
      about,
      'a courier is left out of a batch, because their earnings cannot be read; the next one pays them',
    );
    return { birth: null, unpaid: [] };
  }
}

async function look(ctx: MakeNeeds, batch: PayoutBatch & Pick<Payout, 'gateway'>, account: BankAccount): Promise<Look> {
  const { courierId } = account;
  const balances = await ctx.earnings.balances(courierId);
  const enough = balances.flatMap(({ book, amount }) =>
    isLive(book) === batch.liveMode && amount >= ctx.settings.payouts.minAmount
      ? [{ courierId, currency: currencyOf(book), amount }]
      : [],
  );
  const own = enough.find(({ currency }) => currency === batch.currency);
  const birth = own === undefined ? null : await bear(ctx, batch, account, own.amount);
  return { birth, unpaid: enough.filter((one) => one !== own) };
}

async function bear(
  { clock, couriers, settings }: MakeNeeds,
  { id: batchId, liveMode, currency, requestedBy, gateway }: PayoutBatch & Pick<Payout, 'gateway'>,
  { courierId, sealedDetails, last4 }: BankAccount,
  amount: Amount,
): Promise<PayoutBirth> {
  const { approvalAmount, approvalMs } = settings.payouts;
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
