import { expect, test } from 'vitest';
import { judgeDispatch } from '../../../load-tests/simulate/figures/dispatch-figures.ts';
import { createTally } from '../../../load-tests/simulate/people/tally.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { TINY_DAY } from '../dispatch/tiny-day.ts';

const MINUTE_MS = 60_000;
const SETTINGS = defaultSettings();
const { leadMs, countLeadMs } = SETTINGS.search;
const PLACE = { x: 0, y: 0 };
const READY_MIN = 40;

test('[Y28] [Y30] a first offer is timed from when its search begins, and a search from when it counts', () => {
  const readyAt = READY_MIN * MINUTE_MS;
  const beginsAt = readyAt - leadMs;
  const countsAt = readyAt - countLeadMs;
  const tally = createTally();
  const offer = { deliveryId: 'del_1', courierId: 'cou_1', expiresAt: beginsAt + SETTINGS.offers.expressTtlMs };
  tally.arrivals.set('off_1', { ...offer, arrivedAt: beginsAt + 3000 });
  const event = (sequence: number, type: string, createdAt: number, courierId: string | null) => ({
    id: `evt_${sequence}`,
    sequence,
    type,
    createdAt,
    courierId,
  });
  const restaurant = { id: 'r1', at: PLACE };
  const figures = judgeDispatch({
    world: {
      tally,
      parameters: TINY_DAY.parameters,
      toService: (minute) => minute * MINUTE_MS,
      time: { scale: 1, now: () => 0, sleep: async () => {}, until: async () => {}, toRealMs: (ms) => ms },
    },
    truth: [
      {
        deliveryId: 'del_1',
        order: { id: 'o1', at: PLACE, placedMin: 0, readyMin: READY_MIN, restaurant },
        status: 'delivered',
        events: [
          event(1, 'delivery.created', 0, null),
          event(2, 'courier.assigned', countsAt + 2 * MINUTE_MS, 'cou_1'),
        ],
      },
    ],
    crew: [],
    decisions: new Map([['del_1', [{ at: beginsAt + 1000, verdict: 'offered', asked: ['cou_1'] }]]]),
    settings: SETTINGS,
    played: { from: 0, to: readyAt },
    outages: [],
  });
  expect(figures.live.firstOfferDueMs).toMatchObject({ count: 1, max: 3000 });
  expect(figures.searches.searchMin).toMatchObject({ count: 1, max: 2 });
});
