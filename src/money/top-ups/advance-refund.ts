import type { Context } from '../../ports/context.ts';
import type { GatewayRefunds } from '../../ports/money/gateways.ts';
import { advanceOutgoing } from '../payouts/advance-outgoing.ts';
import { bookRefund } from './book-refund.ts';
import { findGateway } from '../payouts/find-gateway.ts';
import type { RefundOrder, TopUpRefund } from './top-up-refund.ts';

export type RefundNeeds = Pick<Context, 'clock' | 'gateways' | 'log' | 'topUpRefunds'>;

/**
 * Takes the next step of a refund that is due. Somebody else may have taken it by now, which changes nothing.
 * @param ownsLease whether this process still leads the work. One that does not sends nothing
 */
export async function advanceRefund(ctx: RefundNeeds, refund: TopUpRefund, ownsLease: () => boolean): Promise<void> {
  await advanceOutgoing(
    ctx,
    {
      prepare: async (row) => refundsOf(ctx, row).prepare(orderOf(row)),
      find: async (row) => refundsOf(ctx, row).find(orderOf(row)),
      book: bookRefund,
      replace: (next, command, entry) => ctx.topUpRefunds.replace(next, command, entry),
    },
    refund,
    ownsLease,
  );
}

function orderOf({ id: reference, topUpId, paymentId, amount, currency }: TopUpRefund): RefundOrder {
  return { reference, topUpId, paymentId, amount, currency };
}

/** The refunds of the gateway that carries it out. Throws if this process does not know the gateway. */
function refundsOf({ gateways }: RefundNeeds, refund: TopUpRefund): GatewayRefunds {
  const gateway = findGateway(gateways, refund);
  if (gateway === null)
    throw new Error(`the gateway ${refund.gateway} is not configured here. Configure it until its refunds have ended`);
  return gateway.refunds;
}
