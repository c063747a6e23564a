import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { OpenOwner } from '../../ports/deliveries.ts';

/** On joining, readers receive open deliveries that changed within this service time. They read others over HTTP. */
const LATELY_MS = 15 * 60_000;
const MOST_SHOWN = 200;

/** The open deliveries of this owner that changed lately, the latest change first. */
export async function listOpenLately(
  ctx: Pick<Context, 'deliveries' | 'clock'>,
  owner: OpenOwner,
): Promise<DeliveryId[]> {
  const since = ctx.clock.now() - LATELY_MS;
  const deliveries = await ctx.deliveries.listOpenSince(since, owner, MOST_SHOWN);
  return deliveries.map(({ id }) => id);
}
