import { expect, test } from 'vitest';
import {
  arriveAtStop,
  deliverStop,
  depart,
  failStop,
  pickUp,
} from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import type { Doer } from '../../../src/dispatch/commands.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import { cardOf, type Courier } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { findRow, hasCourier, isTerminal } from '../../../src/domain/deliveries/lifecycle.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { STATES, type State, type Verb } from '../../../src/domain/deliveries/states.ts';
import { aStop, NOON } from '../../builders.ts';
import { asCourier, asInternal, asStaff, asVendor } from '../../callers.ts';
import { eventsOf, openWorld, storeCourier, storeDelivery } from '../world.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const world = await openWorld('cells');
const LONG_AGO = NOON - 3_600_000;

type Scene = { readonly delivery: Delivery; readonly holder: Courier; readonly idle: Courier };
type Act = (scene: Scene, doer: Doer) => Promise<unknown>;

const at = ({ delivery }: Scene, stop = 0) => ({ deliveryId: delivery.id, stop, overrideReason: 'no satellites' });
const contactTries = [
  { at: NOON - 120_000, channel: 'call' },
  { at: NOON, channel: 'call' },
] as const;

/** Every action of the API and the sockets on a delivery, and its verb in the table. */
type Action = { readonly verb: Verb | null; readonly onlyBeforePickup?: true; readonly act: Act };
const ACTIONS: Readonly<Record<string, Action>> = {
  assign: {
    verb: 'assign',
    act: (scene, doer) => assignCourier(world, { ...at(scene), courierId: scene.idle.id, offerId: null }, doer),
  },
  unassign: { verb: 'unassign', act: (scene, doer) => unassignCourier(world, { ...at(scene), reason: 'r' }, doer) },
  'arrive at the pickup': { verb: 'arrive_pickup', act: (scene, doer) => arriveAtStop(world, at(scene), doer) },
  'pick up': { verb: 'pick_up', act: (scene, doer) => pickUp(world, at(scene), doer) },
  depart: { verb: 'depart', act: (scene, doer) => depart(world, at(scene), doer) },
  'arrive at a drop-off': { verb: 'arrive_drop_off', act: (scene, doer) => arriveAtStop(world, at(scene, 2), doer) },
  'deliver a stop': { verb: 'deliver', act: (scene, doer) => deliverStop(world, at(scene, 1), doer) },
  'fail a stop': {
    verb: 'fail',
    act: (scene, doer) => failStop(world, { ...at(scene, 1), reason: 'unsafe', contactTries }, doer),
  },
  cancel: { verb: 'cancel', act: (scene, doer) => cancelDelivery(world, { ...at(scene), reason: null }, doer) },
  update: {
    verb: null,
    act: (scene, doer) =>
      updateDelivery(world, { ...at(scene), ifVersion: null, stops: [{ stop: 2, instructions: 'new' }] }, doer),
  },
  'call ready': {
    verb: null,
    onlyBeforePickup: true,
    act: (scene, doer) => markReady(world, { ...at(scene), ifVersion: null, readyAt: null }, doer),
  },
  delay: {
    verb: null,
    onlyBeforePickup: true,
    act: (scene, doer) => delayPickup(world, { ...at(scene), to: { minutes: 5 }, reason: null }, doer),
  },
};

const ROLES: Readonly<Record<string, (scene: Scene) => Doer>> = {
  vendor: ({ delivery }) => asVendor(delivery),
  'another vendor': ({ delivery }) => asVendor({ ...delivery, vendorId: 'ven_another' }),
  'the other mode': ({ delivery }) => asVendor({ ...delivery, liveMode: true }),
  staff: () => asStaff(),
  internal: () => asInternal(),
  courier: ({ holder }) => asCourier(holder),
  'another courier': ({ idle }) => asCourier(idle),
  system: () => ({ type: 'system' }),
};

const STRANGERS = ['another vendor', 'the other mode', 'another courier'];
/** These succeed because their result already exists. Nothing is written. */
const SATISFIED = new Set([
  'picked_up pick up courier',
  'in_transit pick up courier',
  'in_transit depart courier',
  'in_transit depart system',
]);

/** A delivery of two drop-offs in this state. Its courier, if it has one, has waited at the first one for an hour. */
async function scene(state: State): Promise<Scene> {
  const [holder, idle] = [await storeCourier(world), await storeCourier(world)];
  const isCollected = state === 'picked_up' || state === 'in_transit';
  const delivery = await storeDelivery(
    world,
    {
      state,
      searchUntilAt: NOON,
      ...(hasCourier(state) || isTerminal(state) ? { courierId: holder.id, courier: cardOf(holder) } : {}),
      pickup: aStop(0, isCollected ? { state: 'delivered', doneAt: LONG_AGO } : {}),
      dropOffs: [aStop(1, isCollected ? { state: 'arrived', arrivedAt: LONG_AGO } : {}), aStop(2)],
      times: { createdAt: LONG_AGO, assignedAt: LONG_AGO },
    },
    hasCourier(state) ? holder : null,
  );
  return { delivery, holder, idle };
}

function isAllowed(state: State, { verb, onlyBeforePickup }: Action, role: string, doer: Doer): boolean {
  if (STRANGERS.includes(role)) return false;
  if (onlyBeforePickup === true && (state === 'picked_up' || state === 'in_transit')) return false;
  if (verb === null) return !isTerminal(state) && ['vendor', 'staff', 'internal'].includes(doer.type);
  // A courier takes a delivery only by an offer, and no courier has it before it is assigned.
  if (doer.type === 'courier' && !hasCourier(state)) return false;
  if (verb === 'cancel' && doer.type === 'system' && hasCourier(state)) return false;
  return findRow(state, verb, doer.type).ok;
}

test.each(STATES)(
  '[L16] %s: every action by a role that the table does not allow is refused without a trace',
  async (state) => {
    const stage = await scene(state);
    const stored = () =>
      Promise.all([
        world.deliveries.get(stage.delivery.id),
        eventsOf(world, stage.delivery.id),
        world.couriers.findMany([stage.holder.id, stage.idle.id]),
      ]);
    const before = await stored();
    const deliveries = await world.mongo.collection(DELIVERIES).countDocuments();
    let refused = 0;
    for (const [action, row] of Object.entries(ACTIONS)) {
      for (const [role, as] of Object.entries(ROLES)) {
        const doer = as(stage);
        if (isAllowed(state, row, role, doer)) continue;
        const outcome = await row.act(stage, doer).then(
          () => 'done',
          (error: unknown) => error,
        );
        const isSatisfied = SATISFIED.has(`${state} ${action} ${role}`);
        expect(
          isSatisfied ? outcome === 'done' : outcome instanceof Refusal,
          `${state}: ${action} by ${role}: ${String(outcome)}`,
        ).toBe(true);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(50);
    expect(await stored()).toEqual(before);
    expect(await world.mongo.collection(DELIVERIES).countDocuments()).toBe(deliveries);
  },
);

test.each(STATES)('[L16] %s: every allowed action is done, with its events in order', async (state) => {
  const probe = await scene(state);
  for (const [action, row] of Object.entries(ACTIONS)) {
    for (const [role, as] of Object.entries(ROLES)) {
      if (!isAllowed(state, row, role, as(probe))) continue;
      const stage = await scene(state);
      await row.act(stage, as(stage));
      const after = await world.deliveries.get(stage.delivery.id);
      const events = await eventsOf(world, after.id);
      expect(after.version, `${state}: ${action} by ${role}`).toBe(2);
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(events.at(-1)?.data).toMatchObject({ from: state, to: after.state });
    }
  }
});
