// Facts that one member has and the majority does not. They are gone when that member dies.
import { expect, test } from 'vitest';
import { pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { acceptOffer, declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import { onboardCourier, setCourierState } from '../../../src/dispatch/couriers/onboard-courier.ts';
import { quoteDelivery } from '../../../src/dispatch/deliveries/quote-delivery.ts';
import { setAvailability } from '../../../src/dispatch/couriers/set-availability.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { State } from '../../../src/domain/deliveries/states.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { aNewDelivery } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { until } from '../../until.ts';
import { openShakyWorld } from '../shaky-world.ts';
import { codeOf, refusalOf, storeCourier, storeDelivery, storeHeld, storeOffer, storeVendor } from '../world.ts';

const { set, world, askUntil, settle } = await openShakyWorld('rolled-back');
const staff = asStaff();
const vendor = await storeVendor(world);
const buyer = asVendor({ vendorId: vendor.id, liveMode: false });
const create = (over: Parameters<typeof aNewDelivery>[0]) =>
  createDelivery(world, aNewDelivery({ vendorId: vendor.id, ...over }), buyer);

const isClaimed = (fact: string) => async () => (await world.claims.find(fact)) !== null;
const externalOf = (externalId: string): string => `external:${vendor.id}:test:${externalId}`;

/** `first` makes a change. `again` requests something that rests on it, and gets this answer in the end. */
type Case = {
  readonly first: () => Promise<unknown>;
  readonly again: () => Promise<unknown>;
  readonly isSeen: () => Promise<boolean>;
  readonly answer: unknown;
};

const stateOf = async ({ id }: Delivery): Promise<State> => (await world.deliveries.get(id)).state;
const isIn = (delivery: Delivery, state: State) => async () => (await stateOf(delivery)) === state;
const hasVersion = (delivery: Delivery, version: number) => async () =>
  (await world.deliveries.get(delivery.id)).version === version;

const CASES: Record<string, () => Promise<Case>> = {
  'a create with a known external id': async () => {
    const externalId = newId('del');
    const first = () => create({ externalId });
    const isSeen = isClaimed(externalOf(externalId));
    return { first, again: first, isSeen, answer: { isNew: false, delivery: { externalId } } };
  },
  'a create with the external id of another delivery': async () => {
    const externalId = newId('del');
    const first = () => create({ externalId });
    const again = () => refusalOf(create({ externalId, contentHash: 'other' }));
    const isSeen = isClaimed(externalOf(externalId));
    return { first, again, isSeen, answer: { code: 'duplicate_delivery' } };
  },
  'a create with a used quote': async () => {
    const { vendorId, liveMode, locationId, pickup, ...rest } = aNewDelivery({ vendorId: vendor.id });
    const place = pickup?.place ?? null;
    const asked = {
      ...rest,
      vendorId,
      liveMode,
      locationId,
      pickup: place,
      window: null,
      subsidy: null,
      customerTier: null,
      promo: null,
    };
    const { id: quoteId } = await quoteDelivery(world, asked);
    const first = () => create({ quoteId });
    const isSeen = isClaimed(`quote:${quoteId}`);
    return { first, again: () => refusalOf(create({ quoteId })), isSeen, answer: { code: 'used_quote' } };
  },
  'a cancel repeated': async () => {
    const delivery = await storeDelivery(world);
    const first = () => cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asVendor(delivery));
    return { first, again: first, isSeen: isIn(delivery, 'canceled'), answer: { state: 'canceled' } };
  },
  'a cancel of a delivery that another actor canceled': async () => {
    const delivery = await storeDelivery(world);
    const cancel = (by: Parameters<typeof cancelDelivery>[2]) =>
      cancelDelivery(world, { deliveryId: delivery.id, reason: null }, by);
    const again = () => refusalOf(cancel(asVendor(delivery)));
    const answer = { code: 'invalid_state_transition' };
    return { first: () => cancel(staff), again, isSeen: isIn(delivery, 'canceled'), answer };
  },
  'a correction repeated': async () => {
    const delivery = await storeDelivery(world);
    const command = { deliveryId: delivery.id, ifVersion: null, stops: [{ stop: 1, instructions: 'ring twice' }] };
    const first = () => updateDelivery(world, command, asVendor(delivery));
    return { first, again: first, isSeen: hasVersion(delivery, 2), answer: { version: 2 } };
  },
  'goods reported ready again': async () => {
    const delivery = await storeDelivery(world);
    const command = { deliveryId: delivery.id, ifVersion: null, readyAt: null };
    const first = () => markReady(world, command, asVendor(delivery));
    return { first, again: first, isSeen: hasVersion(delivery, 2), answer: { version: 2 } };
  },
  'a delay repeated': async () => {
    const delivery = await storeDelivery(world);
    const by = asVendor(delivery);
    const first = () => delayPickup(world, { deliveryId: delivery.id, to: { minutes: 5 }, reason: null }, by);
    return { first, again: first, isSeen: hasVersion(delivery, 2), answer: { version: 2 } };
  },
  'an offer accepted again': async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const { id: offerId } = await storeOffer(world, delivery, courier);
    const first = () => acceptOffer(world, { offerId }, asCourier(courier));
    return { first, again: first, isSeen: isIn(delivery, 'assigned'), answer: { courierId: courier.id } };
  },
  'an offer declined again': async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const { id: offerId } = await storeOffer(world, delivery, courier);
    const first = () => declineOffer(world, { offerId, reason: null }, asCourier(courier));
    const isSeen = async () => (await world.offers.find(offerId))?.state === 'declined';
    return { first, again: first, isSeen, answer: undefined };
  },
  'a courier assigned again by staff': async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const command = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
    const first = () => assignCourier(world, command, staff);
    return { first, again: first, isSeen: isIn(delivery, 'assigned'), answer: { courierId: courier.id } };
  },
  'a delivery assigned to another courier': async () => {
    const delivery = await storeDelivery(world);
    const assign = ({ id: courierId }: { id: Parameters<typeof assignCourier>[1]['courierId'] }) =>
      assignCourier(world, { deliveryId: delivery.id, courierId, offerId: null, overrideReason: null }, staff);
    const [one, other] = [await storeCourier(world), await storeCourier(world)];
    const again = () => refusalOf(assign(other));
    const answer = { code: 'already_assigned', told: { metadata: { courier_id: one.id } } };
    return { first: () => assign(one), again, isSeen: isIn(delivery, 'assigned'), answer };
  },
  'a pickup repeated': async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    const command = { deliveryId: delivery.id, overrideReason: 'no signal' };
    const first = () => pickUp(world, command, asCourier(courier));
    return { first, again: first, isSeen: isIn(delivery, 'picked_up'), answer: { state: 'picked_up' } };
  },
  'a courier who goes offline again': async () => {
    const { id: courierId } = await storeCourier(world);
    const first = () => setAvailability(world, { courierId, availability: 'offline' }, staff);
    const isSeen = async () => (await world.couriers.get(courierId)).availability === 'offline';
    return { first, again: first, isSeen, answer: { availability: 'offline' } };
  },
  'a courier who goes online while suspended': async () => {
    const { id: courierId } = await storeCourier(world, { availability: 'offline' });
    const first = () => setCourierState(world, { courierId, state: 'suspended' }, staff);
    const again = () => refusalOf(setAvailability(world, { courierId, availability: 'online' }, staff));
    const isSeen = async () => (await world.couriers.get(courierId)).state === 'suspended';
    return { first, again, isSeen, answer: { code: 'courier_not_verified' } };
  },
  'a courier suspended again': async () => {
    const { id: courierId } = await storeCourier(world);
    const first = () => setCourierState(world, { courierId, state: 'suspended' }, staff);
    const isSeen = async () => (await world.couriers.get(courierId)).state === 'suspended';
    return { first, again: first, isSeen, answer: { state: 'suspended' } };
  },
  'an unknown offer': async () => {
    const { id: courierId } = await storeCourier(world);
    const first = () => setAvailability(world, { courierId, availability: 'offline' }, staff);
    const isSeen = async () => (await world.couriers.get(courierId)).availability === 'offline';
    const again = () =>
      refusalOf(acceptOffer(world, { offerId: newId('off') }, asCourier({ id: courierId, liveMode: false })));
    return { first, again, isSeen, answer: { code: 'offer_not_found' } };
  },
  'an unknown delivery': async () => {
    const { id: courierId } = await storeCourier(world);
    const first = () => setAvailability(world, { courierId, availability: 'offline' }, staff);
    const isSeen = async () => (await world.couriers.get(courierId)).availability === 'offline';
    const again = () => refusalOf(cancelDelivery(world, { deliveryId: newId('del'), reason: null }, staff));
    return { first, again, isSeen, answer: { code: 'delivery_not_found' } };
  },
  'a courier onboarded again': async () => {
    const command = { name: 'Ada Obi', phone: '+4915112345699', vehicleType: 'bicycle', liveMode: false } as const;
    const first = () => onboardCourier(world, command);
    const isSeen = async () => (await world.couriers.findByPhone(command.phone, false)) !== null;
    return { first, again: () => refusalOf(first()), isSeen, answer: { code: 'duplicate_courier' } };
  },
};

test('[S40] while no majority has a change, a request that rests on it is busy, and later answered', async () => {
  const cases = await Promise.all(Object.entries(CASES).map(async ([what, make]) => ({ what, ...(await make()) })));
  await set.stopReplication();
  await Promise.all(cases.map(({ first, isSeen }) => askUntil(isSeen, first)));
  const codes = await Promise.all(
    cases.map(async ({ what, again }) => [what, await codeOf(again().then(throwRefusal)).catch(String)]),
  );
  expect(codes).toEqual(cases.map(({ what }) => [what, 'busy']));
  await settle();
  for (const { what, again, answer } of cases) {
    const answered = await answerTo(again);
    expect({ what, answered }).toMatchObject({ what, answered: answer });
  }
});

/** Throws an expected refusal. Any other value is an answer. */
function throwRefusal(answer: unknown): unknown {
  if (answer instanceof Error) throw answer;
  return answer;
}

/** The answer to a request that is sent again while it is busy. On a slow machine an impatient one gives up too early. */
async function answerTo(request: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown;
  await until(async () => {
    answer = await request().catch((error: unknown) => error);
    return !(answer instanceof Refusal && answer.code === 'busy');
  });
  return answer;
}

test('[S40] a create that only the killed primary had is never answered with an id', async () => {
  const externalId = newId('del');
  const command = { externalId };
  const primary = await set.waitForPrimary();
  await set.stopReplication();
  const isWritten = isClaimed(externalOf(externalId));
  let refused: Refusal | undefined;
  // On a slow machine an impatient create may give up before it is written.
  await until(async () => {
    refused = await refusalOf(create(command));
    return refused.code !== 'busy' || (await isWritten());
  });
  expect(refused).toMatchObject({ code: 'busy', message: expect.stringContaining('may have') });
  expect(await isWritten()).toBe(true);
  expect(await codeOf(create(command))).toBe('busy');
  await set.kill(primary);
  await set.resumeReplication();
  await set.waitForPrimary();
  await until(() => world.mongo.isReady());
  expect(await answerTo(() => create({ externalId: newId('del') }))).toMatchObject({ isNew: true });
  expect(await isWritten()).toBe(false);
  expect(await create(command)).toMatchObject({ isNew: true });
});
