import type { Context } from '../../ports/context.ts';
import { countAgain } from './count-facts.ts';

type Needs = Pick<Context, 'clock' | 'rebuild' | 'settings'>;

/** Deliveries that one transaction counts again: some 300 ms, far below its deadline. */
const AT_ONCE = 1000;
/** Machine time for which a request may still read the rows of the generation before. */
const READERS_MS = 2000;

/**
 * Counts all ended deliveries and their ratings again, while servers go on counting new ones. Offers and releases stay as
 * they are, because the rows behind them expire. Requests see the old rows until the last delivery is counted.
 * @param report gets the number of deliveries so far
 * @throws an error if another rebuild begins meanwhile
 */
export async function rebuildRollUps(
  ctx: Needs,
  report: (deliveries: number) => void,
): Promise<{ readonly deliveries: number; readonly deletedRows: number }> {
  const { rebuild } = ctx;
  const generation = await rebuild.begin();
  let deliveries = 0;
  for (;;) {
    const counted = await rebuild.next(generation, AT_ONCE, (ended) => countAgain(ctx, ended));
    if (counted === 0) break;
    deliveries += counted;
    report(deliveries);
  }
  await ctx.clock.real.sleep(READERS_MS);
  return { deliveries, deletedRows: await rebuild.sweep() };
}
