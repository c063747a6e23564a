import type { DeliveryId } from '../domain/ids.ts';
import { OPEN_STATES } from '../domain/lifecycle.ts';
import type { Context, DeliveryFilter } from '../ports.ts';

/** Open deliveries that changed this lately are shown on joining, service time; the rest is asked over HTTP. */
const LATELY_MS = 15 * 60_000;
const MOST_SHOWN = 200;

/** The open deliveries of this filter that changed lately, newest first. */
export async function listOpenLately(
  ctx: Pick<Context, 'deliveries' | 'clock'>,
  filter: DeliveryFilter,
): Promise<DeliveryId[]> {
  const since = ctx.clock.now() - LATELY_MS;
  const deliveries = await ctx.deliveries.listChangedSince(since, { ...filter, states: OPEN_STATES }, MOST_SHOWN);
  return deliveries.map(({ id }) => id);
}
