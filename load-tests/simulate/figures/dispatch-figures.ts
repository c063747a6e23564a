// The figures of dispatch: how soon couriers are asked, how long searches take, how evenly work is shared.
import { searchFor } from '../../../src/domain/deliveries/search.ts';
import type { Settings } from '../../../src/settings.ts';
import type { Registered } from '../people/courier.ts';
import type { Decisions } from './decisions.ts';
import { judgeFairness, type Fairness } from './fairness.ts';
import { judgeLive, type LiveFigures } from './live.ts';
import { alarmToleranceMs, createdAt, judgeSearches, type SearchFigures } from './searches.ts';
import { coveredMs } from './spans.ts';
import type { Outage } from '../../servers/trouble.ts';
import type { TrueDelivery } from './truth.ts';
import type { World } from '../people/world.ts';

export type DispatchFigures = {
  readonly live: LiveFigures;
  readonly searches: SearchFigures;
  readonly fairness: Fairness;
};

export type DispatchMaterial = {
  readonly world: Pick<World, 'time' | 'tally' | 'toService' | 'parameters'>;
  readonly truth: readonly TrueDelivery[];
  readonly crew: readonly Registered[];
  readonly decisions: Decisions;
  readonly settings: Settings;
  /** The part of the day that was played, service time in ms. */
  readonly played: { readonly from: number; readonly to: number };
  /** When servers or engines were down. */
  readonly outages: readonly Outage[];
};

/** After a server is back, its clients and its regions need this long to recover; machine ms. */
export const RECOVERY_MS = 10_000;

/** Judges dispatch by the committed events, the offers on the phones and the matcher's log. */
export function judgeDispatch(material: DispatchMaterial): DispatchFigures {
  const { world, truth, crew, decisions, settings, played } = material;
  const { time, tally, toService, parameters } = world;
  const span = (delivery: TrueDelivery) => {
    const { readyMin, placedMin } = delivery.order;
    return searchFor(
      { namedAt: toService(readyMin), estimatedAt: null, closesAt: null },
      settings.search.limitMs,
      settings.search,
      createdAt(delivery) ?? toService(placedMin),
    );
  };
  const down = outagesInService(material);
  return {
    live: judgeLive({
      truth,
      decisions,
      settings,
      searchFrom: (delivery) => span(delivery).searchFromAt,
      arrivals: [...tally.arrivals.values()],
      acceptMs: tally.acceptMs,
      acceptsCut: tally.acceptsCut,
      scale: time.scale,
    }),
    searches: judgeSearches(truth, {
      countsFrom: (delivery) => span(delivery).searchCountsFromAt,
      endAt: played.to,
      alarmAfterMs: settings.search.alarmAfterMs,
      toleranceMs: alarmToleranceMs(time.scale),
      downMs: (from, to) => coveredMs(down, from, to),
      toMinute: (at) => (at - toService(0)) / 60_000,
    }),
    fairness: judgeFairness(truth, crew, {
      ...played,
      toService,
      afterDoorMs: (parameters.dropOffServiceMin / 2) * 60_000,
    }),
  };
}

function outagesInService({ world: { time }, outages }: DispatchMaterial): { from: number; to: number }[] {
  const toService = (at: number): number => time.now() - (performance.now() - at) * time.scale;
  return outages.map(({ from, to }) => ({
    from: toService(from),
    to: to === null ? Infinity : toService(to + RECOVERY_MS),
  }));
}
