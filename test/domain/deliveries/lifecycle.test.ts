import { describe, expect, test } from 'vitest';
import { factsOf, type Facts } from '../../../src/domain/deliveries/guards.ts';
import { newId } from '../../../src/domain/ids.ts';
import {
  diagram,
  findRow,
  isTerminal,
  OPEN_STATES,
  stageAfter,
  step,
  timesAfter,
} from '../../../src/domain/deliveries/lifecycle.ts';
import {
  ACTOR_TYPES,
  STATES,
  VERBS,
  type ActorType,
  type State,
  type Verb,
} from '../../../src/domain/deliveries/states.ts';
import { aCourier, aDelivery, anOffer, aStop, heldBy, NOON } from '../../builders.ts';

/** Every allowed cell, written out here, so that a change of the table has to be made twice. */
type Cell = readonly [to: State, by: readonly ActorType[]];
const ALLOWED: Record<string, Cell> = {
  '- create': ['searching', ['vendor', 'staff', 'internal']],
  '- schedule': ['scheduled', ['vendor', 'staff', 'internal']],
  '- open_return': ['in_transit', ['system']],
  'scheduled start_search': ['searching', ['system']],
  'scheduled cancel': ['canceled', ['vendor', 'staff', 'system']],
  'searching assign': ['assigned', ['courier', 'staff', 'internal']],
  'searching cancel': ['canceled', ['vendor', 'staff', 'system']],
  'assigned unassign': ['searching', ['courier', 'staff', 'vendor', 'system']],
  'assigned arrive_pickup': ['assigned', ['courier', 'system']],
  'assigned pick_up': ['picked_up', ['courier', 'staff']],
  'assigned cancel': ['canceled', ['vendor', 'staff', 'system']],
  'picked_up depart': ['in_transit', ['courier', 'system']],
  'picked_up fail': ['failed', ['courier', 'staff', 'system']],
  'picked_up cancel': ['canceled', ['vendor', 'staff', 'system']],
  'in_transit arrive_drop_off': ['in_transit', ['courier', 'system']],
  'in_transit deliver': ['delivered', ['courier', 'staff']],
  'in_transit fail': ['failed', ['courier', 'staff', 'system']],
  'in_transit cancel': ['canceled', ['vendor', 'staff', 'system']],
};

const CELLS = [null, ...STATES].flatMap((state) =>
  VERBS.flatMap((verb) => ACTOR_TYPES.map((by) => [state, verb, by] as const)),
);

/** Facts that pass every guard, so that only state, verb and actor decide. */
function goodFacts(verb: Verb, by: ActorType): Facts {
  const courier = aCourier();
  const ended = verb === 'fail' ? 'failed' : 'delivered';
  const isEnd = verb === 'deliver' || verb === 'fail';
  const window = { readyAt: NOON + 3_600_000, deadlineAt: NOON + 7_200_000 };
  const delivery = aDelivery({
    kind: verb === 'open_return' ? 'return' : 'delivery',
    courierId: verb === 'open_return' ? courier.id : null,
    pickup: aStop(0, { window: verb === 'schedule' ? window : null }),
    dropOffs: [aStop(1, isEnd ? { state: ended } : {})],
    times: { createdAt: NOON - 3_600_000 },
    searchUntilAt: NOON,
  });
  const offer = anOffer({ deliveryId: delivery.id, courierId: courier.id });
  return factsOf(delivery, delivery, NOON, { courier, offer, isByHand: by !== 'courier', testOverAt: NOON });
}

describe('the table', () => {
  test.each(CELLS)('[L1] %s %s by %s', (state, verb, by) => {
    const [to, actors]: Cell | [null, readonly ActorType[]] = ALLOWED[`${state ?? '-'} ${verb}`] ?? [null, []];
    const found = step(state, verb, by, goodFacts(verb, by));
    const expected = actors.includes(by) ? to : actors.length > 0 ? 'forbidden' : 'invalid_state_transition';
    expect(found.ok ? found.row.to : found.code).toBe(expected);
  });

  test('[L1] every allowed cell is in the table, and the table has no other', () => {
    const cells = CELLS.filter(([state, verb, by]) => findRow(state, verb, by).ok);
    expect(cells).toHaveLength(Object.values(ALLOWED).flatMap(([, actors]) => actors).length);
  });

  test('[L2] a refusal names the state, the state that the verb leads to, and the allowed ones', () => {
    const found = step('delivered', 'cancel', 'vendor', goodFacts('cancel', 'vendor'));
    expect(found).toMatchObject({
      code: 'invalid_state_transition',
      told: { metadata: { from: 'delivered', to: 'canceled', allowed: [] } },
    });
    const early = step('searching', 'pick_up', 'courier', goodFacts('pick_up', 'courier'));
    expect(early).toMatchObject({
      told: { metadata: { from: 'searching', to: 'picked_up', allowed: ['assigned', 'canceled'] } },
    });
  });

  test('[L3] nothing leaves delivered, canceled and failed, and the diagram says so', () => {
    expect(STATES.filter(isTerminal)).toEqual(['delivered', 'canceled', 'failed']);
    expect(OPEN_STATES).toHaveLength(5);
    const arrows = diagram().split('\n');
    expect(arrows.filter((line) => line.endsWith('--> [*]'))).toHaveLength(3);
    expect(arrows).toContain('    assigned --> picked_up: pick_up (courier, staff)');
  });

  test('[L4] the stage follows from the verb, and each thing is timed once', () => {
    expect(
      ['assign', 'arrive_pickup', 'pick_up', 'depart', 'arrive_drop_off', 'deliver'].map((verb) =>
        stageAfter(verb as Verb),
      ),
    ).toEqual(['en_route_to_pickup', 'arrived_at_pickup', null, 'en_route_to_drop_off', 'arrived_at_drop_off', null]);
    const { times } = aDelivery({ times: { arrivedDropOffAt: 5 } });
    expect(timesAfter('arrive_drop_off', times, 9).arrivedDropOffAt).toBe(5);
    expect(timesAfter('pick_up', times, 9).pickedUpAt).toBe(9);
    const let_go = timesAfter('unassign', { ...times, assignedAt: 5, arrivedPickupAt: 6 }, 9);
    expect(let_go).toMatchObject({ assignedAt: null, arrivedPickupAt: null });
    expect(timesAfter('assign', let_go, 9).assignedAt).toBe(9);
  });
});

describe('the guards', () => {
  const courier = aCourier();
  const searching = aDelivery();
  const offer = anOffer({ deliveryId: searching.id, courierId: courier.id });
  const byOffer: Partial<Facts> = { courier, offer };
  const byHand: Partial<Facts> = { courier, isByHand: true };
  const assign = (by: ActorType, more: Partial<Facts>, delivery = searching): string => {
    const found = step('searching', 'assign', by, factsOf(delivery, delivery, NOON, more));
    return found.ok ? found.row.to : found.code;
  };

  test('[L5] a courier accepts an offer that was made to them, while it is open', () => {
    expect(assign('courier', byOffer)).toBe('assigned');
    expect(assign('courier', { ...byOffer, offer: null })).toBe('offer_taken');
    expect(assign('courier', { ...byOffer, offer: { ...offer, courierId: newId('cou') } })).toBe('offer_taken');
    expect(assign('courier', { ...byOffer, offer: { ...offer, deliveryId: newId('del') } })).toBe('offer_taken');
    expect(assign('courier', { ...byOffer, offer: { ...offer, state: 'withdrawn' } })).toBe('offer_taken');
    expect(assign('courier', { ...byOffer, offer: { ...offer, expiresAt: NOON } })).toBe('offer_expired');
    expect(assign('courier', { ...byOffer, offer: { ...offer, state: 'expired' } })).toBe('offer_expired');
    expect(assign('courier', byHand)).toBe('forbidden');
  });

  test('[L6] only an active courier who is online, of the right mode and kind, and has room, takes a delivery', () => {
    expect(assign('staff', byHand)).toBe('assigned');
    expect(assign('staff', { ...byHand, courier: aCourier({ state: 'suspended' }) })).toBe('courier_not_verified');
    expect(assign('staff', { ...byHand, courier: aCourier({ availability: 'offline' }) })).toBe('courier_unavailable');
    expect(assign('staff', { ...byHand, courier: aCourier({ active: [newId('del')] }) })).toBe('courier_unavailable');
    expect(assign('staff', { ...byHand, courier: aCourier({ kind: 'robo' }) })).toBe('courier_unavailable');
    expect(assign('staff', byHand, aDelivery({ robo: { timeScale: 1 } }))).toBe('courier_unavailable');
    expect(assign('staff', { ...byHand, courier: aCourier({ liveMode: true }) })).toBe('courier_not_found');
  });

  test('[D212] an offer cannot be accepted with a vehicle that does not fit the goods; a dispatcher may insist', () => {
    const heavy = aDelivery({ id: offer.deliveryId, metadata: { weight: 150 } });
    const bicycle = { ...courier, vehicleType: 'bicycle' } as const;
    const car = { ...courier, vehicleType: 'car' } as const;
    expect(assign('courier', { offer, courier: bicycle }, heavy)).toBe('courier_unavailable');
    expect(assign('courier', { offer, courier: car }, heavy)).toBe('assigned');
    expect(assign('staff', { ...byHand, courier: bicycle }, heavy)).toBe('assigned');
  });

  test('[L7] a courier who gave a delivery back receives no offer for it again; a dispatcher may insist', () => {
    const again = aDelivery({ formerCouriers: [courier.id] });
    const newer = { ...offer, deliveryId: again.id };
    expect(assign('courier', { courier, offer: newer }, again)).toBe('courier_excluded');
    expect(assign('staff', byHand, again)).toBe('assigned');
  });

  const unassign = (by: ActorType, over: Parameters<typeof heldBy>[2], releases = 1, now = NOON): string => {
    const before = heldBy(courier, 'assigned', over);
    const after = { ...before, courierId: null, formerCouriers: Array.from({ length: releases }, () => courier.id) };
    const found = step('assigned', 'unassign', by, factsOf(before, after, now));
    return found.ok ? found.row.to : found.code;
  };

  test('[L8] a delivery can be given back five times; after that only staff may unassign it', () => {
    expect(unassign('courier', {}, 5)).toBe('searching');
    expect(unassign('courier', {}, 6)).toBe('too_many_releases');
    expect(unassign('system', {}, 6)).toBe('too_many_releases');
    expect(unassign('staff', {}, 6)).toBe('searching');
  });

  test('[L9] a vendor may change the courier only if the pickup is ten minutes late', () => {
    const late = { times: { assignedAt: NOON - 600_000 } };
    expect(unassign('vendor', late)).toBe('searching');
    expect(unassign('vendor', late, 1, NOON - 1)).toBe('not_late_enough');
    const readyAt = { pickup: aStop(0, { window: { readyAt: NOON, deadlineAt: null } }), ...late };
    expect(unassign('vendor', readyAt, 1, NOON + 599_999)).toBe('not_late_enough');
    expect(unassign('vendor', readyAt, 1, NOON + 600_000)).toBe('searching');
  });

  test('[L9] a courier who arrived at the pickup in time stays, however long they wait', () => {
    const arrived = (minutes: number, readyInMinutes = 0) => {
      const window = { readyAt: NOON + readyInMinutes * 60_000, deadlineAt: null };
      return { pickup: aStop(0, { state: 'arrived', arrivedAt: NOON + minutes * 60_000, window }) };
    };
    const at = NOON + 12 * 60_000;
    expect(unassign('vendor', arrived(3), 1, at)).toBe('not_late_enough');
    expect(unassign('vendor', arrived(9.99), 1, NOON + 3_600_000)).toBe('not_late_enough');
    expect(unassign('vendor', arrived(11), 1, at)).toBe('searching');
    expect(unassign('vendor', {}, 1, at)).toBe('searching');
    // A delay after the arrival makes nobody late either.
    expect(unassign('vendor', arrived(3, 20), 1, NOON + 3_600_000)).toBe('not_late_enough');
    for (const by of ['courier', 'system', 'staff'] as const) expect(unassign(by, arrived(3), 1, at)).toBe('searching');
    const before = heldBy(courier, 'assigned', arrived(3));
    const facts = factsOf(before, { ...before, pickup: { ...before.pickup, arrivedAt: null } }, at);
    expect(step('assigned', 'unassign', 'vendor', facts)).toMatchObject({ told: { reason: 'courier_arrived' } });
  });

  test('[L10] the server itself cancels only if a search ended without a courier', () => {
    const cancel = (by: ActorType, before: ReturnType<typeof aDelivery>, now: number): string => {
      const found = step(before.state, 'cancel', by, factsOf(before, before, now));
      return found.ok ? found.row.to : found.code;
    };
    expect(cancel('system', searching, searching.searchUntilAt)).toBe('canceled');
    expect(cancel('system', searching, searching.searchUntilAt - 1)).toBe('invalid_state_transition');
    expect(cancel('system', heldBy(courier), searching.searchUntilAt)).toBe('invalid_state_transition');
    expect(cancel('vendor', heldBy(courier), NOON)).toBe('canceled');
  });
});
