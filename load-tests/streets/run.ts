// The same day twice at once: with a server that knows the routes, and with one that estimates.
import type { Surroundings } from '../servers/stage.ts';
import { withStreets } from '../servers/streets.ts';
import type { RunOptions } from '../simulate/options.ts';
import type { Report } from '../simulate/report.ts';
import { runDay } from '../simulate/run.ts';
import type { StreetsOptions } from './options.ts';
import { judge, SIDES, type Side, type StreetsReport } from './report.ts';

/**
 * Plays both days. Missed limits are in the report.
 * @param around what already runs for each of the two
 * @throws if engines, servers or Valhalla do not start
 */
export function runBoth(
  options: StreetsOptions,
  around: Partial<Record<Side, Surroundings>>,
  say: (line: string) => void,
): Promise<StreetsReport> {
  return withStreets(options.streets, say, async (streetsUrl) => {
    const play = (side: Side, run: RunOptions): Promise<Report> =>
      runDay(run, { ...around[side], streetsUrl, isBeside: true }, (line) => say(`${side}: ${line}`));
    // If one does not start, the other one is played to its end, so that nothing runs on.
    const ends = await Promise.allSettled(SIDES.map((side) => play(side, options[side])));
    const [routes, estimates] = ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
    if (routes === undefined || estimates === undefined) throw new Error('a day was not played');
    return judge({ routes, estimates });
  });
}
