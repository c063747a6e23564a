import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import { countAgain } from './count-facts.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'rebuild' | 'settings' | 'vendors'>;

/** Deliveries that one transaction counts again. If the database is too slow for its deadline, it counts fewer. */
const MOST_AT_ONCE = 1500;
const LEAST_AT_ONCE = 30;
/** Machine time before a step that failed is tried again. */
const RETRY_MS = 1000;
/** Machine time for which a request may still read the rows of the generation before. */
const READERS_MS = 2000;

/**
 * Counts all ended deliveries and their ratings again, while servers go on counting new ones. Offers and releases stay as
 * they are, because the rows behind them expire. Requests see the old rows until the last delivery is counted.
 * @param report gets the number of deliveries so far
 * @throws an error if another rebuild begins meanwhile; a refusal `busy` if the database is too slow for 30 deliveries
 */
export async function rebuildRollUps(
  ctx: Needs,
  report: (deliveries: number) => void,
): Promise<{ readonly deliveries: number; readonly deletedRows: number }> {
  const { audit, rebuild } = ctx;
  const about = { action: 'analytics.rebuild', objectId: 'roll_ups', vendorId: null, liveMode: null } as const;
  const generation = await rebuild.begin(audit.draft({ ...about, changes: {} }));
  let [deliveries, atOnce] = [0, MOST_AT_ONCE];
  for (;;) {
    try {
      const counted = await rebuild.next(generation, atOnce, (ended) => countAgain(ctx, ended));
      if (counted === 0) break;
      deliveries += counted;
      report(deliveries);
    } catch (error) {
      // The mark moves with the sums. So a step can be repeated, whether or not it was stored.
      if (!(error instanceof Refusal) || error.code !== 'busy' || atOnce <= LEAST_AT_ONCE) throw error;
      atOnce = Math.max(LEAST_AT_ONCE, Math.floor(atOnce / 2));
      await ctx.clock.real.sleep(RETRY_MS);
    }
  }
  await ctx.clock.real.sleep(READERS_MS);
  return { deliveries, deletedRows: await rebuild.sweep() };
}
