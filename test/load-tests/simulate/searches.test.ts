import { expect, test } from 'vitest';
import { gini, judgeFairness } from '../../../load-tests/simulate/figures/fairness.ts';
import { problemsOf } from '../../../load-tests/simulate/report.ts';
import {
  alarmToleranceMs,
  judgeSearches,
  searchesOf,
  type SearchRules,
} from '../../../load-tests/simulate/figures/searches.ts';
import { coveredMs } from '../../../load-tests/simulate/figures/spans.ts';
import type { TrueDelivery } from '../../../load-tests/simulate/figures/truth.ts';
import { figuresWith } from './figures.ts';

const MINUTE_MS = 60_000;
const PLACE = { x: 0, y: 0 };
const ORDER = { id: 'o1', at: PLACE, placedMin: 0, readyMin: 0, restaurant: { id: 'r1', at: PLACE } };
const SCALE = 20;

/** A delivery whose events happened at these minutes. */
function delivery(id: string, events: readonly (readonly [minute: number, type: string, courierId?: string])[]) {
  return {
    deliveryId: id,
    order: ORDER,
    status: 'delivered',
    events: events.map(([minute, type, courierId], at) => ({
      id: `evt_${id}_${at}`,
      type,
      sequence: at + 1,
      createdAt: minute * MINUTE_MS,
      courierId: courierId ?? null,
    })),
  } satisfies TrueDelivery;
}

const RULES: SearchRules = {
  countsFrom: ({ events }) => events[0]?.createdAt ?? 0,
  endAt: 60 * MINUTE_MS,
  alarmAfterMs: 10 * MINUTE_MS,
  toleranceMs: alarmToleranceMs(SCALE),
  downMs: () => 0,
  toMinute: (at) => at / MINUTE_MS,
};

test('[Y30] a search lasts to the assignment, to the end, or until now, and another begins with an unassignment', () => {
  const two = delivery('del_1', [
    [0, 'delivery.created'],
    [4, 'courier.assigned'],
    [6, 'courier.unassigned'],
    [9, 'courier.assigned'],
    [20, 'delivered'],
  ]);
  expect(searchesOf(two, RULES).map(({ from, to }) => [from / MINUTE_MS, to / MINUTE_MS])).toEqual([
    [0, 4],
    [6, 9],
  ]);
  const open = delivery('del_2', [[50, 'delivery.created']]);
  const over = delivery('del_3', [
    [30, 'delivery.created'],
    [45, 'canceled'],
  ]);
  const figures = judgeSearches([two, open, over], RULES);
  expect(figures.searchMin).toMatchObject({ count: 4, max: 15 });
  expect(figures.toCourierMin).toMatchObject({ count: 3, p50: 10, max: 15 });
  expect(figures).toMatchObject({ unassigned: 2, long: 2, longTold: 0 });
  expect([figures.open, figures.mostOpen]).toEqual([
    { fromMin: 0, counts: [1, 0, 1, 0, 0] },
    { count: 1, atMin: 0 },
  ]);
});

test('[Y30] a search that is reopened before it counts, counts from its time', () => {
  const early = delivery('del_1', [
    [0, 'delivery.created'],
    [2, 'courier.assigned'],
    [3, 'courier.unassigned'],
    [11, 'courier.assigned'],
  ]);
  const found = searchesOf(early, { ...RULES, countsFrom: () => 9 * MINUTE_MS });
  expect(found.map(({ from, to }) => [from / MINUTE_MS, to / MINUTE_MS])).toEqual([
    [2, 2],
    [9, 11],
  ]);
});

test('[Y30] a search that exceeds the alarm time and two turns has its event, or the run fails', () => {
  const searched = (minutes: number, ...told: number[]) =>
    judgeSearches(
      [
        delivery('del_1', [
          [0, 'delivery.created'],
          ...told.map((minute): [number, string] => [minute, 'delivery.search_delayed']),
          [minutes, 'courier.assigned'],
        ]),
      ],
      RULES,
    );
  expect(searched(9.9)).toMatchObject({ long: 0, untold: [] });
  expect(searched(10.4)).toMatchObject({ long: 1, longTold: 0, untold: [] });
  expect(searched(11, 10.1)).toMatchObject({ long: 1, longTold: 1, untold: [] });
  const untold = searched(11);
  expect(untold).toMatchObject({ long: 1, longTold: 0, untold: ['del_1'] });
  expect(problemsOf(figuresWith({ searches: untold }), 0)).toEqual(['1 long searches without their event']);
  expect(problemsOf(figuresWith({ searches: searched(10.4) }), 0)).toEqual([]);
});

test('[Y30] the event of an earlier search does not count for a later one', () => {
  const twice = delivery('del_1', [
    [0, 'delivery.created'],
    [10, 'delivery.search_delayed'],
    [12, 'courier.assigned'],
    [14, 'courier.unassigned'],
    [30, 'canceled'],
  ]);
  expect(judgeSearches([twice], RULES)).toMatchObject({ long: 2, longTold: 1, untold: ['del_1'] });
});

test('[Y30] the event may come later by the time in which a server was down', () => {
  const outage = [{ from: 9 * MINUTE_MS, to: 11 * MINUTE_MS }];
  const rules = { ...RULES, downMs: (from: number, to: number) => coveredMs(outage, from, to) };
  const ended = (minute: number) =>
    judgeSearches(
      [
        delivery('del_1', [
          [0, 'delivery.created'],
          [minute, 'canceled'],
        ]),
      ],
      rules,
    );
  expect(ended(11.4).untold).toEqual([]);
  expect(ended(12).untold).toEqual(['del_1']);
});

test('[Y31] the Gini coefficient is 0 for equal shares and grows to one courier who has all', () => {
  expect(gini([2, 2, 2])).toBeCloseTo(0, 12);
  expect(gini([0, 0, 0, 8])).toBeCloseTo(0.75, 12);
  // Two of four pairs differ by |1-3|. The mean difference is divided by twice the mean.
  expect(gini([3, 1])).toBeCloseTo(0.25, 12);
  expect([gini([]), gini([0, 0])]).toEqual([0, 0]);
});

test('[Y31] orders and busy time are counted by the hour online in the part of a shift that was played', () => {
  const crew = ['cou_1', 'cou_2', 'cou_3'].map((id, index) => ({
    id,
    // The last courier comes online ten minutes before the end.
    courier: { id, at: PLACE, onMin: index === 2 ? 170 : 0, offMin: index === 1 ? 120 : 300 },
  }));
  const truth = [
    delivery('del_1', [
      [0, 'delivery.created'],
      [70, 'courier.assigned', 'cou_1'],
      [98, 'delivered', 'cou_1'],
    ]),
    // The second delivery was accepted during the first one, but no minute counts twice.
    delivery('del_2', [
      [0, 'delivery.created'],
      [90, 'courier.assigned', 'cou_1'],
      [128, 'delivered', 'cou_1'],
    ]),
    // The delivery was lost again, and another courier carried it past the end of their shift.
    delivery('del_3', [
      [0, 'delivery.created'],
      [62, 'courier.assigned', 'cou_1'],
      [68, 'courier.unassigned', 'cou_1'],
      [105, 'courier.assigned', 'cou_2'],
      [140, 'delivered', 'cou_2'],
    ]),
  ];
  const rules = { toService: (minute: number) => minute * MINUTE_MS, from: 60 * MINUTE_MS, to: 180 * MINUTE_MS };
  const fairness = judgeFairness(truth, crew, { ...rules, afterDoorMs: 2 * MINUTE_MS });
  expect(fairness).toMatchObject({ couriers: 2, leftOut: 1, onlineHours: 3 });
  expect(fairness.perHour).toMatchObject({ p10: 1, p50: 1, mean: 1 });
  expect(fairness.utilisation.p10).toBeCloseTo(15 / 60, 9);
  expect(fairness.utilisation.mean).toBeCloseTo((15 / 60 + (60 + 6) / 120) / 2, 9);
});
