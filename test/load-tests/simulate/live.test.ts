import { expect, test } from 'vitest';
import { dispatchRows } from '../../../load-tests/simulate/dispatch-table.ts';
import { judgeLive, type LiveMaterial } from '../../../load-tests/simulate/figures/live.ts';
import type { Arrival } from '../../../load-tests/simulate/people/tally.ts';
import { problemsOf } from '../../../load-tests/simulate/report.ts';
import type { TrueDelivery } from '../../../load-tests/simulate/figures/truth.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { figuresWith } from './figures.ts';

const SCALE = 20;
const SETTINGS = defaultSettings();
const TTL_MS = SETTINGS.offers.expressTtlMs;
const PLACE = { x: 0, y: 0 };
const ORDER = { id: 'o1', at: PLACE, placedMin: 0, readyMin: 0, restaurant: { id: 'r1', at: PLACE } };

/** An offer made at one moment of service time and seen at another. */
function arrival(deliveryId: string, courierId: string, madeAt: number, arrivedAt: number): Arrival {
  return { deliveryId, courierId, expiresAt: madeAt + TTL_MS, arrivedAt };
}

function delivery(deliveryId: string): TrueDelivery {
  return { deliveryId, order: ORDER, status: 'delivered', events: [] };
}

function judge(material: Partial<LiveMaterial>): ReturnType<typeof judgeLive> {
  return judgeLive({
    truth: [],
    arrivals: [],
    decisions: new Map(),
    acceptMs: [],
    acceptsCut: 0,
    settings: SETTINGS,
    scale: SCALE,
    searchFrom: () => 0,
    ...material,
  });
}

test('[Y28] an offer is timed in machine ms from when its run had read its inputs to its courier’s phone', () => {
  const rows = [
    { at: 1000, verdict: 'offered', asked: ['cou_1'] },
    { at: 90_000, verdict: 'offered', asked: ['cou_2', 'cou_1'] },
  ];
  const arrivals = [arrival('del_1', 'cou_1', 91_000, 94_000), arrival('del_1', 'cou_1', 1400, 2000)];
  const live = judge({ arrivals, decisions: new Map([['del_1', rows]]) });
  expect(live.offerMs).toMatchObject({ count: 2, p50: 1000 / SCALE, max: 4000 / SCALE });
  expect(live.offerFromMakingMs).toMatchObject({ count: 2, p50: 600 / SCALE, max: 3000 / SCALE });
  expect([live.offersWithoutRun, live.askedUnseen]).toEqual([0, 1]);
});

test('[Y28] an offer whose run is not in the log is timed from its making, never from an earlier run of the pair', () => {
  const rows = [{ at: 1000, verdict: 'offered', asked: ['cou_1'] }];
  const arrivals = [arrival('del_1', 'cou_1', 1400, 2000), arrival('del_1', 'cou_1', 200_000, 200_400)];
  const live = judge({ arrivals, decisions: new Map([['del_1', rows]]) });
  expect(live.offerMs).toMatchObject({ count: 2, p50: 400 / SCALE, max: 1000 / SCALE });
  expect([live.offersWithoutRun, live.askedUnseen]).toEqual([1, 0]);
});

test('[Y28] first offers are judged if a courier was due at the first look, and only reported otherwise', () => {
  const decisions = new Map([
    ['del_1', [{ at: 3000, verdict: 'offered', asked: ['cou_1'] }]],
    [
      'del_2',
      [
        { at: 3000, verdict: 'not_due', asked: [] },
        { at: 600_000, verdict: 'offered', asked: ['cou_2'] },
      ],
    ],
  ]);
  const arrivals = [
    arrival('del_1', 'cou_1', 3200, 4000),
    arrival('del_1', 'cou_3', 40_000, 40_100),
    arrival('del_2', 'cou_2', 600_100, 600_200),
  ];
  const truth = ['del_1', 'del_2', 'del_3'].map(delivery);
  const live = judge({
    truth,
    decisions,
    arrivals,
    searchFrom: ({ deliveryId }) => (deliveryId === 'del_1' ? 500 : 0),
  });
  expect(live.firstOfferDueMs).toMatchObject({ count: 1, max: 3500 / SCALE });
  // The second delivery took 3 s until a run looked at it, and 0.2 s from the run that asked to the phone.
  expect(live.firstOfferAsIfDueMs).toMatchObject({ count: 2, p50: 3200 / SCALE, max: 3500 / SCALE });
  expect(live.firstOfferAsIfDueMs).toMatchObject({ aimMs: live.firstOfferDueMs.aimMs, isWithin: true });
  expect(live.firstOfferAllMs).toMatchObject({ count: 2, max: 600_200 / SCALE });
  expect(live.neverOffered).toBe(1);
});

test('[Y28] the table also shows service time, and says if nothing was measured', () => {
  const decisions = new Map([['del_1', [{ at: 3000, verdict: 'offered', asked: ['cou_1'] }]]]);
  const arrivals = [arrival('del_1', 'cou_1', 3200, 4000)];
  const rowsWith = (material: Partial<LiveMaterial>) => dispatchRows(figuresWith({ live: judge(material) }).dispatch);
  const rows = rowsWith({ truth: [delivery('del_1')], decisions, arrivals });
  const first = rows.findIndex(([name]) => name === 'first offer when due, ms');
  expect(rows.slice(first, first + 2).map(([, text]) => text)).toEqual([
    expect.stringContaining('p50 200.0'),
    'p50 4.0  p95 4.0  max 4.0  of 1',
  ]);
  expect(rowsWith({})[first + 1]).toEqual(['  the same, service s', 'none']);
});

test('[Y28] a courier whose offer could not be opened at the first look was due as well', () => {
  const rows = [
    { at: 3000, verdict: 'not_opened', asked: [] },
    { at: 3800, verdict: 'offered', asked: ['cou_1'] },
  ];
  const arrivals = [arrival('del_1', 'cou_1', 4000, 4200)];
  const live = judge({ truth: [delivery('del_1')], decisions: new Map([['del_1', rows]]), arrivals });
  expect(live.firstOfferDueMs).toMatchObject({ count: 1, max: 4200 / SCALE });
  expect(live.offerMs).toMatchObject({ count: 1, max: 400 / SCALE });
  expect([live.offersWithoutRun, live.askedUnseen]).toEqual([0, 0]);
});

test('[Y29] targets are for the 95th percentile in machine time, with the period in machine time', () => {
  const live = judge({ acceptMs: [...Array.from({ length: 99 }, () => 10), 9000], acceptsCut: 2 });
  expect(live.acceptMs).toMatchObject({ count: 100, p95: 10, max: 9000, aimMs: 150, isWithin: true });
  expect(judge({ acceptMs: [151] }).acceptMs.isWithin).toBe(false);
  expect(live.offerMs).toMatchObject({ count: 0, aimMs: 500, isWithin: null });
  expect([live.period, live.firstOfferDueMs.aimMs]).toEqual([{ serviceMs: 5000, machineMs: 250 }, 1250]);
  expect(judge({ scale: 200 }).period).toEqual({ serviceMs: 5000, machineMs: 100 });
});

test('[Y29] a figure above its target is reported and does not make the run fail', () => {
  const figures = figuresWith({ live: judge({ acceptMs: [151], acceptsCut: 1 }) });
  const [, text] = dispatchRows(figures.dispatch).find(([name]) => name.startsWith('accept answered')) ?? [];
  expect(text).toMatch(/p95 151\.0 .*above the aim of 150 {2}\(1 cut\)$/);
  expect(problemsOf(figures, 0)).toEqual([]);
});
