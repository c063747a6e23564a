import { expect, test } from 'vitest';
import { dispatchRows } from '../../load-tests/simulate/dispatch-table.ts';
import { judgeLive, type Arrival, type LiveMaterial } from '../../load-tests/simulate/live.ts';
import { problemsOf } from '../../load-tests/simulate/report.ts';
import type { TrueDelivery } from '../../load-tests/simulate/truth.ts';
import { defaultSettings } from '../../src/settings.ts';
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
  expect(live.offerMs).toMatchObject({ count: 2, p50: 4000 / SCALE, max: 4000 / SCALE });
  expect(live.offerFromMakingMs).toMatchObject({ count: 2, p50: 3000 / SCALE });
  expect([live.offersWithoutRun, live.askedUnseen]).toEqual([0, 1]);
});

test('[Y28] an offer whose run is not in the log is timed from its making, never from an earlier run of the pair', () => {
  const rows = [{ at: 1000, verdict: 'offered', asked: ['cou_1'] }];
  const arrivals = [arrival('del_1', 'cou_1', 1400, 2000), arrival('del_1', 'cou_1', 200_000, 200_400)];
  const live = judge({ arrivals, decisions: new Map([['del_1', rows]]) });
  expect(live.offerMs).toMatchObject({ count: 2, p50: 1000 / SCALE, max: 1000 / SCALE });
  expect([live.offersWithoutRun, live.askedUnseen]).toEqual([1, 0]);
});

test('[Y28] of the first offers those of deliveries that were offered at the first look are judged, the others told', () => {
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
  expect(live.firstOfferDueS).toMatchObject({ count: 1, max: 3.5 });
  // The second one: 3 s until it was looked at, and 0.2 s from the run that asked to the phone.
  expect(live.firstOfferAsIfDueS).toMatchObject({ count: 2, p50: 3.5, max: 3.5 });
  expect(live.firstOfferAsIfDueMs).toMatchObject({ count: 2, markMs: live.firstOfferDueMs.markMs, isWithin: true });
  expect(live.firstOfferAllS).toMatchObject({ count: 2, max: 600.2 });
  expect(live.neverOffered).toBe(1);
});

test('[Y29] marks stand on the 95th percentile in machine time, the period as long as the machine makes it', () => {
  const live = judge({ acceptMs: [...Array.from({ length: 99 }, () => 10), 9000], acceptsCut: 2 });
  expect(live.acceptMs).toMatchObject({ count: 100, p95: 10, max: 9000, markMs: 150, isWithin: true });
  expect(judge({ acceptMs: [151] }).acceptMs.isWithin).toBe(false);
  expect(live.offerMs).toMatchObject({ count: 0, markMs: 500, isWithin: null });
  expect([live.period, live.firstOfferDueMs.markMs]).toEqual([{ serviceMs: 5000, machineMs: 250 }, 1250]);
  expect(judge({ scale: 200 }).period).toEqual({ serviceMs: 5000, machineMs: 100 });
});

test('[Y29] a figure above its mark is told and does not make the run fail', () => {
  const figures = figuresWith({ live: judge({ acceptMs: [151], acceptsCut: 1 }) });
  const [, text] = dispatchRows(figures.dispatch).find(([name]) => name.startsWith('accept answered')) ?? [];
  expect(text).toMatch(/p95 151\.0 .*above the mark of 150 {2}\(1 cut\)$/);
  expect(problemsOf(figures, 0)).toEqual([]);
});
