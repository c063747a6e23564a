import { expect, test } from 'vitest';
import { createAnswers } from '../../../load-tests/chaos-dispatch/judge/answers.ts';
import {
  createLedger,
  type Ledger,
  type LoggedEvent,
  type OpenedOffer,
} from '../../../load-tests/chaos-dispatch/judge/ledger.ts';
import { parseChaosOptions } from '../../../load-tests/chaos-dispatch/options.ts';
import { givenPairs, judgeRemains, pairOf, type Remains } from '../../../load-tests/chaos-dispatch/judge/verdict.ts';

function offer(id: string, deliveryId: string, courierId: string, more: Partial<OpenedOffer> = {}): OpenedOffer {
  return { id, deliveryId, courierId, region: 'r1', fence: 1, isExclusive: true, ...more };
}

function event(deliveryId: string, sequence: number, type: string, to: string, courierId?: string): LoggedEvent {
  return { deliveryId, sequence, type, to, courierId: courierId ?? null, by: 'courier' };
}

const assigned = (deliveryId: string, sequence: number, courierId: string): LoggedEvent =>
  event(deliveryId, sequence, 'courier.assigned', 'assigned', courierId);
const BIRTH = event('d1', 1, 'delivery.created', 'searching');
const LIFE = [
  BIRTH,
  assigned('d1', 2, 'c1'),
  event('d1', 3, 'picked_up', 'picked_up', 'c1'),
  event('d1', 4, 'delivered', 'delivered', 'c1'),
];

/** The breaches that the ledger finds in a list of commits. */
function seen(tell: (ledger: Ledger) => void): string[] {
  const ledger = createLedger(() => 1);
  tell(ledger);
  return ledger.breaches().map(({ breach }) => breach);
}

function log(...events: LoggedEvent[]): (ledger: Ledger) => void {
  return (ledger) => events.forEach((one) => ledger.eventLogged(one));
}

test('[Z14] the ledger finds a delivery with two couriers, a courier with too many and a hole, in the order of the commits', () => {
  expect(seen(log(...LIFE))).toEqual([]);
  expect(seen(log(BIRTH, assigned('d1', 2, 'c1'), assigned('d1', 3, 'c2')))).toEqual(['twoCouriers']);
  const released = event('d1', 3, 'courier.unassigned', 'searching', 'c1');
  expect(seen(log(BIRTH, assigned('d1', 2, 'c1'), released, assigned('d1', 4, 'c2')))).toEqual([]);
  const other = event('d2', 1, 'delivery.created', 'searching');
  expect(seen(log(BIRTH, other, assigned('d1', 2, 'c1'), assigned('d2', 2, 'c1')))).toEqual(['overCapacity']);
  expect(seen(log(...LIFE, other, assigned('d2', 2, 'c1')))).toEqual([]);
  expect(seen(log(BIRTH, assigned('d1', 3, 'c1')))).toEqual(['hole']);
  expect(seen(log(BIRTH, BIRTH))).toEqual(['hole']);
});

test('[Z14] a return is assigned to its courier from its birth', () => {
  const canceled = event('d1', 3, 'canceled', 'canceled', 'c1');
  const back = event('r1', 1, 'delivery.created', 'in_transit', 'c1');
  expect(seen(log(BIRTH, assigned('d1', 2, 'c1'), canceled, back))).toEqual([]);
  expect(seen(log(BIRTH, assigned('d1', 2, 'c1'), back))).toEqual(['overCapacity']);
});

test('[Z14] the ledger finds two open offers of a courier and two exclusive ones of a delivery, unless one follows the other', () => {
  const both = (second: OpenedOffer) => (ledger: Ledger) => {
    ledger.offerOpened(offer('o1', 'd1', 'c1'));
    ledger.offerOpened(second);
  };
  expect(seen(both(offer('o2', 'd2', 'c1')))).toEqual(['twoOffersOfCourier']);
  expect(seen(both(offer('o2', 'd1', 'c2')))).toEqual(['twoOffersOfDelivery']);
  expect(seen(both(offer('o2', 'd1', 'c2', { isExclusive: false })))).toEqual([]);
  const inTurn = (ledger: Ledger): void => {
    ledger.offerOpened(offer('o1', 'd1', 'c1'));
    ledger.offerClosed('o1');
    ledger.offerOpened(offer('o2', 'd1', 'c1'));
  };
  expect(seen(inTurn)).toEqual([]);
});

test('[Z14] an offer of a replaced leader is counted', () => {
  const ledger = createLedger(() => 1);
  ledger.offerOpened(offer('o1', 'd1', 'c1', { fence: 2 }));
  ledger.offerOpened(offer('o2', 'd2', 'c2', { fence: 1 }));
  ledger.offerOpened(offer('o3', 'd3', 'c3', { fence: 1, region: 'r2' }));
  expect(ledger.counts()).toMatchObject({ offers: 3, openOffers: 3, byOldLeader: 1 });
  expect(ledger.oldLeaderOffers()).toEqual(['o2']);
});

const GOOD: Remains = {
  deliveries: [{ id: 'd1', externalId: 'x1', state: 'delivered', sequence: 4 }],
  events: LIFE,
  accepted: [{ id: 'o1', deliveryId: 'd1', courierId: 'c1' }],
  stayed: [],
  openOffers: 0,
  couriers: [{ id: 'c1', capacity: 1, active: [] }],
};

test('[Z15] the judge finds deliveries that are lost, open or incomplete, and offers that are left over', () => {
  const judge = (more: Partial<Remains>, promised = ['x1']): number[] => {
    const { lost, unfounded, leftOver } = judgeRemains({ ...GOOD, ...more }, promised);
    return [lost.length, unfounded.length, leftOver.length];
  };
  expect(judge({})).toEqual([0, 0, 0]);
  expect(judge({}, ['x1', 'x2'])).toEqual([1, 0, 0]);
  const [delivery = { id: '', externalId: null, state: '', sequence: 0 }] = GOOD.deliveries;
  // The delivery has not ended, and its log has no end either.
  expect(judge({ deliveries: [{ ...delivery, state: 'picked_up' }] })).toEqual([2, 0, 0]);
  expect(judge({ deliveries: [{ ...delivery, sequence: 5 }] })).toEqual([1, 0, 0]);
  expect(judge({ events: LIFE.filter(({ sequence }) => sequence !== 3) })).toEqual([2, 0, 0]);
  expect(judge({ accepted: [] })).toEqual([0, 1, 0]);
  expect(judge({ accepted: [...GOOD.accepted, { id: 'o2', deliveryId: 'd1', courierId: 'c2' }] })).toEqual([0, 1, 0]);
  const byHand = LIFE.map((one) => ({ ...one, by: 'staff' }));
  expect(judge({ events: byHand })).toEqual([0, 1, 0]);
  expect(judge({ events: byHand, accepted: [] })).toEqual([0, 0, 0]);
  expect(judge({ openOffers: 2, couriers: [{ id: 'c1', capacity: 1, active: ['d9'] }] })).toEqual([0, 0, 2]);
});

test('[Z15] the judge finds an offer of a replaced leader that was not taken back', () => {
  const stayed = [{ id: 'o2', deliveryId: 'd1', courierId: 'c2' }];
  expect(judgeRemains(GOOD, ['x1']).stayed).toEqual([]);
  expect(judgeRemains({ ...GOOD, stayed }, ['x1']).stayed).toEqual([expect.stringContaining('o2')]);
});

test('[Z15] the judge finds an accept whose answer differs from what is stored', () => {
  const [o1, o2, o3] = ['o1', 'o2', 'o3'].map((id) => ({ id, deliveryId: `d${id}`, courierId: 'c1' }));
  if (o1 === undefined || o2 === undefined || o3 === undefined) throw new Error('three offers');
  const answers = createAnswers();
  answers.note(o1, 'unknown');
  answers.note(o1, 'ok');
  answers.note(o1, 'refused');
  answers.note(o2, 'refused');
  answers.note(o3, 'unknown');
  const judge = (...accepted: (typeof o1)[]): string[] =>
    answers.disagreements(accepted, new Set(accepted.map(pairOf)));
  expect(judge(o1)).toEqual([]);
  // The third accept got no answer, so both outcomes are right.
  expect(judge(o1, o3)).toEqual([]);
  expect(judge()).toHaveLength(1);
  expect(judge(o1, o2)).toHaveLength(1);
  // The same courier got the same delivery by another offer or by hand, so yes was the right answer.
  expect(answers.disagreements([], new Set([pairOf(o1)]))).toEqual([]);
  expect(givenPairs(GOOD)).toEqual(new Set([pairOf({ deliveryId: 'd1', courierId: 'c1' })]));
});

test('[Z16] a wrong command line of chaos:dispatch is refused with the mistake', () => {
  expect(parseChaosOptions([])).toMatchObject({ deliveries: 10_000, servers: 4, json: null });
  expect(parseChaosOptions(['--deliveries', '60', '--seed', '7'])).toMatchObject({ deliveries: 60, seed: 7 });
  expect(parseChaosOptions(['--help'])).toBeNull();
  expect(() => parseChaosOptions(['--servers', '1'])).toThrow('--servers must be a whole number from 2 to 16');
  expect(() => parseChaosOptions(['--deliveries', 'many'])).toThrow('--deliveries');
  expect(() => parseChaosOptions(['--kills', '3'])).toThrow('--kills');
});
