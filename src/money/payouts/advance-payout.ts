import { isSuspendedByStaff } from '../../domain/couriers/not-active.ts';
import type { Context } from '../../ports/context.ts';
import { advanceOutgoing, writeMove, type OutgoingKind } from './advance-outgoing.ts';
import { bookPayout } from './book-payout.ts';
import { transfersOf } from './find-gateway.ts';
import { COURIER_SUSPENDED, type Payout, type UnsentCause } from './payout.ts';
import { openDetails } from './set-bank-account.ts';
import type { Sending, Transfer } from './transfer.ts';

export type AdvanceNeeds = Pick<
  Context,
  'bankAccounts' | 'clock' | 'couriers' | 'gateways' | 'log' | 'payouts' | 'vault'
>;

/**
 * Takes the next step of a payout that is due. Somebody else may have taken it by now, which changes nothing.
 * @param ownsLease whether this process still leads the work. One that does not sends nothing
 */
export async function advancePayout(ctx: AdvanceNeeds, payout: Payout, ownsLease: () => boolean): Promise<void> {
  const kind = kindOf(ctx);
  if (payout.state === 'awaiting_approval') return void (await writeMove(ctx, kind, payout, 'lapse', 'not_approved'));
  const flaw = payout.state === 'pending' ? await flawOf(ctx, payout) : null;
  if (flaw !== null) return void (await writeMove(ctx, kind, payout, 'fail', flaw));
  await advanceOutgoing(ctx, kind, payout, ownsLease);
}

/** Why a payout must not be sent any more; null if it may. */
async function flawOf(ctx: AdvanceNeeds, { courierId, sealedDetails, reason }: Payout): Promise<UnsentCause | null> {
  if (openDetails(ctx, sealedDetails) === null) return 'bank_account_unreadable';
  const account = await ctx.bankAccounts.find(courierId);
  // The same account again keeps the encrypted details.
  if (account?.sealedDetails !== sealedDetails) return 'bank_account_replaced';
  // A second person has approved it although the courier was suspended.
  if (reason === COURIER_SUSPENDED) return null;
  return isSuspendedByStaff(await ctx.couriers.find(courierId)) ? COURIER_SUSPENDED : null;
}

function kindOf(ctx: AdvanceNeeds): OutgoingKind<Payout> {
  return {
    prepare: (payout) => prepareTransfer(ctx, payout),
    find: (payout) => findTransfer(ctx, payout),
    book: bookPayout,
    replace: (next, command, entry) => ctx.payouts.replace(next, command, entry),
  };
}

/**
 * Asks the gateway for the transfer. A payout that it does not show is sent again. If it must not be, a person must
 * find out whether it was sent.
 */
async function findTransfer(ctx: AdvanceNeeds, payout: Payout): Promise<Transfer | 'absent'> {
  const found = await transfersOf(ctx, payout).find(payout.id);
  const flaw = found === 'absent' && payout.state === 'processing' ? await flawOf(ctx, payout) : null;
  const { amount, currency } = payout;
  return flaw === null ? found : { status: 'needs_action', amount, currency, reason: flaw };
}

async function prepareTransfer(ctx: AdvanceNeeds, payout: Payout): Promise<Sending> {
  const { id: reference, amount, currency, sealedDetails } = payout;
  const to = openDetails(ctx, sealedDetails);
  if (to === null) throw new Error('the bank account of a payout cannot be read, which is looked up before');
  return transfersOf(ctx, payout).prepare({ reference, amount, currency, to });
}
