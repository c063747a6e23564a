import { judgeArrivals, type Arrivals } from '../../../load-tests/simulate/figures/arrivals.ts';
import { judgeFairness } from '../../../load-tests/simulate/figures/fairness.ts';
import type { DispatchFigures } from '../../../load-tests/simulate/figures/dispatch-figures.ts';
import { judgeLive } from '../../../load-tests/simulate/figures/live.ts';
import type { problemsOf } from '../../../load-tests/simulate/report.ts';
import { judgeSearches } from '../../../load-tests/simulate/figures/searches.ts';
import { judgeOrders } from '../../../load-tests/simulate/figures/verdict.ts';
import { defaultSettings } from '../../../src/settings.ts';

const SIGHTS = { due: 0, seen: 0, missing: [], invented: 0, outOfOrder: 0, duplicates: 0, gaps: 0 };
const WEBHOOKS = { due: 0, missing: [], duplicates: 0, late: 0, p50Ms: 0, p99Ms: 0, badSignatures: 0 };

/** The figures of a run in which nothing happened and nothing was wrong, except for the given figures of dispatch. */
export function figuresWith(dispatch: Partial<DispatchFigures>): Parameters<typeof problemsOf>[0] & {
  readonly dispatch: DispatchFigures;
  readonly arrivals: Arrivals;
} {
  const none = { countsFrom: () => 0, endAt: 0, alarmAfterMs: 0, toleranceMs: 0, downMs: () => 0, toMinute: () => 0 };
  const material = { truth: [], arrivals: [], decisions: new Map(), acceptMs: [], acceptsCut: 0, scale: 1 };
  return {
    orders: 0,
    refused: 0,
    money: null,
    doubleAssignments: 0,
    serverErrors: [],
    outcome: judgeOrders([], () => 0),
    vendorSocket: { ...SIGHTS, reconnects: 0 },
    trackSockets: { ...SIGHTS, sockets: 0, mute: 0, refused: 0 },
    webhooks: WEBHOOKS,
    arrivals: judgeArrivals([], { driven: new Map(), readyAt: () => 0 }),
    dispatch: {
      live: judgeLive({ ...material, settings: defaultSettings(), searchFrom: () => 0 }),
      searches: judgeSearches([], none),
      fairness: judgeFairness([], [], { toService: () => 0, from: 0, to: 0, afterDoorMs: 0 }),
      ...dispatch,
    },
  };
}
