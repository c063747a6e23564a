import { changesOf } from '../../domain/audit.ts';
import type { TopUpId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import { bookRefund } from './book-refund.ts';
import { findGateway } from '../payouts/find-gateway.ts';
import { planRefund, type AskedRefund, type TopUpRefund } from './top-up-refund.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'gateways' | 'topUpRefunds' | 'topUps'>;

const NO_REFUNDS =
  'This server has no key for the payment gateway of this top-up in its mode. Configure the gateway again, and ask once more.';

/**
 * Asks for a refund of a top-up, or of a part of it, to its payer. The money leaves the wallet at once, and the server then
 * calls the gateway. The same reference again returns its refund. Refuses `top_up_not_found`, `top_up_not_refundable`,
 * `refund_exceeds_top_up`, `insufficient_funds` if the wallet has less, and `no_gateway` if this process has no such gateway.
 */
export async function requestRefund(ctx: Needs, topUpId: TopUpId, asked: AskedRefund): Promise<TopUpRefund> {
  const topUp = await ctx.topUps.find(topUpId);
  if (topUp === null) throw new Refusal('top_up_not_found');
  const refund = await ctx.topUpRefunds.add(topUp, (known) => {
    const planned = planRefund(topUp, known, asked, ctx.clock.now());
    if (known.includes(planned)) return { refund: planned, births: null };
    if (findGateway(ctx.gateways, topUp) === null) throw new Refusal('no_gateway', { detail: NO_REFUNDS });
    const { amount, currency, reference, note, liveMode, vendorId } = planned;
    const changes = changesOf(null, { amount, currency, reference, reason: note, top_up_id: topUpId });
    const entry = ctx.audit.draft({ action: 'top_up.refund', objectId: planned.id, vendorId, liveMode, changes });
    return { refund: planned, births: { command: bookRefund(planned, 'reserve'), entry } };
  });
  if (refund === null) throw new Refusal('insufficient_funds');
  return refund;
}
