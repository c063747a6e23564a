import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { OpenOwner } from '../../ports/deliveries.ts';

/** Open deliveries that changed this lately are shown on joining, service time; the rest is asked over HTTP. */
const LATELY_MS = 15 * 60_000;
const MOST_SHOWN = 200;

/** The open deliveries of this owner that changed lately, the last changed first. */
export async function listOpenLately(
  ctx: Pick<Context, 'deliveries' | 'clock'>,
  owner: OpenOwner,
): Promise<DeliveryId[]> {
  const since = ctx.clock.now() - LATELY_MS;
  const deliveries = await ctx.deliveries.listOpenSince(since, owner, MOST_SHOWN);
  return deliveries.map(({ id }) => id);
}
