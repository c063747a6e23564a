import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import { bookPayout } from './book-payout.ts';
import { transfersOf } from './find-transfers.ts';
import { lookedAt, movePayout, type Payout, type PayoutVerb } from './payout.ts';
import { openDetails } from './set-bank-account.ts';
import type { Transfer, TransferStatus } from './transfer.ts';

export type AdvanceNeeds = Pick<Context, 'clock' | 'gateways' | 'log' | 'payouts' | 'vault'>;

/** What the status of a transfer means for a payout that is open, and for one that is paid. Null changes nothing. */
// One row per line: this is a table.
// oxfmt-ignore
const VERBS: Readonly<Record<TransferStatus, { readonly open: PayoutVerb | null; readonly paid: PayoutVerb | null }>> = {
  pending:      { open: null,      paid: null },
  needs_action: { open: 'ask',     paid: null },
  success:      { open: 'pay',     paid: null },
  failed:       { open: 'fail',    paid: 'take_back' },
  reversed:     { open: 'reverse', paid: 'take_back' },
};

/** Takes the next step of a payout that is due. Somebody else may have taken it by now, which changes nothing. */
export async function advancePayout(ctx: AdvanceNeeds, payout: Payout): Promise<void> {
  switch (payout.state) {
    case 'awaiting_approval':
      await write(ctx, payout, 'lapse', { reason: 'not_approved' });
      return;
    case 'pending':
      return send(ctx, payout);
    case 'processing':
    case 'needs_action':
    case 'paid':
      return look(ctx, payout);
    case 'failed':
    case 'reversed':
    case 'canceled':
      return;
  }
}

/** Notes that the payout is sent, and then sends it. After a crash in between, the gateway is asked first. */
async function send(ctx: AdvanceNeeds, payout: Payout): Promise<void> {
  if (openDetails(ctx, payout.sealedDetails) === null) {
    await write(ctx, payout, 'fail', { reason: 'bank_account_unreadable' });
    return;
  }
  const sent = await write(ctx, payout, 'send');
  if (sent !== null) await order(ctx, sent);
}

/** Sends the transfer. One that the gateway has already is not made again, because the reference is the same. */
async function order(ctx: AdvanceNeeds, payout: Payout): Promise<void> {
  const { id: reference, amount, currency, sealedDetails } = payout;
  const to = openDetails(ctx, sealedDetails);
  // It may have been sent while the key was known. Only a person can find out, so it stays open.
  if (to === null) throw new Error('the bank account of the payout cannot be read. Give this process the earlier key');
  return apply(ctx, payout, await transfersOf(ctx, payout).send({ reference, amount, currency, to }));
}

async function look(ctx: AdvanceNeeds, payout: Payout): Promise<void> {
  const found = await transfersOf(ctx, payout).find(payout.id);
  if (found !== 'absent') return apply(ctx, payout, found);
  // It was never received, because a crash or the network came before.
  if (payout.state === 'processing') return order(ctx, payout);
  throw new Error('the gateway does not know a transfer that it reported before');
}

async function apply(ctx: AdvanceNeeds, payout: Payout, transfer: Transfer): Promise<void> {
  const next = judge(ctx, payout, transfer);
  // Null also if the payout waits for a person already.
  if (next !== null && (await write(ctx, payout, next.verb, { reason: next.reason })) !== null) return;
  await ctx.payouts.replace(lookedAt(payout, ctx.clock.now()), null, null);
}

function judge(
  { log }: AdvanceNeeds,
  { id, amount, currency, state }: Payout,
  transfer: Transfer,
): { readonly verb: PayoutVerb; readonly reason: string | null } | null {
  const end = state === 'paid' ? 'paid' : 'open';
  if (transfer.amount !== amount || transfer.currency !== currency) {
    const found = { amount: transfer.amount, currency: transfer.currency };
    log.error({ payout: id, transfer: found }, 'a transfer differs from its payout');
    return end === 'paid' ? null : { verb: 'ask', reason: 'transfer_differs' };
  }
  const verb = VERBS[transfer.status][end];
  return verb === null ? null : { verb, reason: transfer.reason };
}

/** Writes the state and its entry in one transaction. Returns null if the verb does not lead from the state, or it is stale. */
async function write(
  ctx: AdvanceNeeds,
  before: Payout,
  verb: PayoutVerb,
  sets: { readonly reason?: string | null } = {},
): Promise<Payout | null> {
  const moved = movePayout(before, verb, ctx.clock.now(), sets);
  if (moved === null) return null;
  const { payout, books } = moved;
  const command = books === null ? null : bookPayout(payout, books);
  if (!(await ctx.payouts.replace(payout, command, null))) throw new Refusal('busy');
  if (books === 'give_back' || books === 'take_back')
    ctx.log.warn({ payout: payout.id, state: payout.state, reason: payout.reason }, 'a payout came back');
  return payout;
}
