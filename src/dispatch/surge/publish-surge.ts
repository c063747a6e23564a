import { regionAndNeighbours, regionOfCell, sizeOf } from '../../domain/geo/geo.ts';
import { nextSurge, surgeRule, type CellCount, type SurgeCell } from '../../domain/surge/surge.ts';
import type { Context } from '../../ports/context.ts';
import type { Term } from '../../work/term.ts';
import { countCells } from './count-cells.ts';
import { keepGoing } from '../../work/keep-going.ts';
import type { RegionNow } from '../../domain/regions/region-now.ts';
import { hintIdle, type HintNeeds } from './hint-idle.ts';

export type SurgeNeeds = HintNeeds & Pick<Context, 'clock' | 'log' | 'surge'>;

export type SurgeWatch = {
  /** Takes the read of a run with a search. A run without one has read no couriers. Never throws. */
  look(input: RegionNow): Promise<void>;
};

const MODES = [true, false] as const;

/**
 * Counts demand and supply for the leader of a region, publishes the result for prices and dispatchers, and sends hints
 * to idle couriers. It remembers only who had a hint. The average continues from the published one, even from another
 * leader, and fades while no search is on.
 */
export function watchSurge(ctx: SurgeNeeds, term: Term): SurgeWatch {
  const { surge } = ctx.settings;
  const survive = keepGoing(ctx.log, `surge of ${term.region}`);
  const hints = hintIdle(ctx, term);
  let countedAt = -Infinity;
  return {
    look: async (input) => {
      if (input.now - countedAt < surge.leastGapMs) return;
      countedAt = input.now;
      await survive(async () => {
        const counted = MODES.map((liveMode) => ({ liveMode, counts: countCells(input, liveMode, surge.soonMs) }));
        const known = await ctx.surge.list(regionAndNeighbours(term.region));
        const rule = surgeRule(surge, ctx.clock.scale);
        const cells = counted.flatMap(({ liveMode, counts }) => {
          const inMode = known.filter((each) => each.liveMode === liveMode);
          const before = inMode.filter(({ cell }) => regionOfCell(cell, sizeOf(term.region)) === term.region);
          const beyond = inMode.filter(({ cell }) => regionOfCell(cell, sizeOf(term.region)) !== term.region);
          return nextSurge({ region: term.region, liveMode }, before, withDemandOf(beyond, counts), rule, input.now);
        });
        if (term.ownsLease()) await ctx.surge.publish(term.region, cells);
        for (const { liveMode, counts } of counted) await hints.look(input, liveMode, counts);
      });
    },
  };
}

/** Couriers beyond the border are read with the region. The demand there is what its own leader has published. */
function withDemandOf(beyond: readonly SurgeCell[], counts: ReadonlyMap<string, CellCount>): Map<string, CellCount> {
  const all = new Map(counts);
  for (const { cell, demand } of beyond) all.set(cell, { demand, supply: counts.get(cell)?.supply ?? 0 });
  return all;
}
