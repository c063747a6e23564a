import { expect, test } from 'vitest';
import { onboardCourier, setCourierState } from '../../../src/dispatch/couriers/onboard-courier.ts';
import { editCourier } from '../../../src/dispatch/couriers/edit-courier.ts';
import { setAvailability } from '../../../src/dispatch/couriers/set-availability.ts';
import { settleDue } from '../../../src/dispatch/couriers/watch-documents.ts';
import { DOCUMENT_TYPES } from '../../../src/domain/couriers/document.ts';
import { DOCUMENTS } from '../../../src/models/couriers/document-store.ts';
import { aDocument } from '../../models/couriers/a-document.ts';
import { newId } from '../../../src/domain/ids.ts';
import { CENTER, aFix } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { asCourier, asInternal, asStaff, asVendor } from '../../callers.ts';
import { codeOf, openWorld, refusalOf, storeCourier, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('couriers');
const staff = asStaff();
const DAY_MS = 86_400_000;
const NEW = { name: 'Ada Obi', phone: '+4915112345601', vehicleType: 'bicycle', liveMode: false } as const;

test('[D32] onboarding makes a pending profile; a phone is known once per mode', async () => {
  const courier = await onboardCourier(world, NEW);
  expect(courier).toMatchObject({ ...NEW, state: 'pending', availability: 'offline', active: [], kind: 'courier' });
  expect(await world.couriers.get(courier.id)).toStrictEqual(courier);
  expect(await refusalOf(onboardCourier(world, { ...NEW, name: 'Somebody' }))).toMatchObject({
    code: 'duplicate_courier',
    told: { metadata: { courier_id: courier.id } },
  });
  expect(await onboardCourier(world, { ...NEW, liveMode: true })).toMatchObject({ state: 'pending' });
});

test('[D33] only an active courier goes online; staff decide about profiles', async () => {
  const { id } = await onboardCourier(world, { ...NEW, phone: '+4915112345602' });
  const self = asCourier({ id, liveMode: false });
  const online = () => setAvailability(world, { courierId: id, availability: 'online' }, self);
  expect(await codeOf(online())).toBe('courier_not_verified');
  expect(await codeOf(setCourierState(world, { courierId: id, state: 'active' }, self))).toBe('forbidden');
  expect(await setCourierState(world, { courierId: id, state: 'active' }, staff)).toMatchObject({
    state: 'active',
    availability: 'offline',
  });
  const { version } = await setCourierState(world, { courierId: id, state: 'active' }, staff);
  expect(await online()).toMatchObject({
    availability: 'online',
    version: version + 1,
    idleSinceAt: world.clock.now(),
  });
  expect(await online()).toMatchObject({ version: version + 1 });
});

test('[D34] only the courier themself or staff change the availability', async () => {
  const courier = await storeCourier(world);
  const command = { courierId: courier.id, availability: 'offline' } as const;
  const other = await storeCourier(world);
  expect(await codeOf(setAvailability(world, command, asCourier(other)))).toBe('courier_not_found');
  expect(await codeOf(setAvailability(world, command, asInternal()))).toBe('forbidden');
  expect(await codeOf(setAvailability(world, command, asVendor(await storeDelivery(world))))).toBe('forbidden');
  expect(await codeOf(setAvailability(world, { ...command, courierId: newId('cou') }, staff))).toBe(
    'courier_not_found',
  );
  expect(await setAvailability(world, command, staff)).toMatchObject({ availability: 'offline' });
});

test('[D35] a courier who goes offline or is suspended loses the open offer at once, and another is looked for', async () => {
  for (const stop of ['offline', 'suspended'] as const) {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    world.bell.rung.length = 0;
    const after =
      stop === 'offline'
        ? await setAvailability(world, { courierId: courier.id, availability: 'offline' }, asCourier(courier))
        : await setCourierState(world, { courierId: courier.id, state: 'suspended' }, staff);
    expect(after).toMatchObject({ availability: 'offline', state: stop === 'offline' ? 'active' : 'suspended' });
    expect(world.notices.withdrawn.at(-1)).toMatchObject({ id: offer.id, reason: 'courier_offline' });
    expect(world.bell.rung).toEqual([delivery.region]);
    expect(world.credentials.ended).toEqual(stop === 'offline' ? [] : [{ courierId: courier.id }]);
  }
});

test('[D36] a courier who comes online rings the region where they were last seen', async () => {
  const courier = await storeCourier(world, { availability: 'offline' });
  world.positions.put({ ...aFix(1), courierId: courier.id, receivedAt: world.clock.now() });
  world.bell.rung.length = 0;
  await setAvailability(world, { courierId: courier.id, availability: 'online' }, asCourier(courier));
  expect(world.bell.rung).toEqual([regionOf(CENTER)]);
});

test('[D37] of many changes at once each is made on the profile as it is', async () => {
  const courier = await storeCourier(world, { availability: 'offline' });
  await Promise.all([
    ...Array.from({ length: 5 }, () =>
      setAvailability(world, { courierId: courier.id, availability: 'online' }, staff).catch(() => null),
    ),
    setCourierState(world, { courierId: courier.id, state: 'suspended' }, staff),
  ]);
  expect(await world.couriers.get(courier.id)).toMatchObject({ state: 'suspended', availability: 'offline' });
});

test('[D183] a courier who takes another vehicle while a document for it expires is suspended', async () => {
  const courier = await storeCourier(world, { vehicleType: 'bicycle', availability: 'online' });
  const now = world.clock.now();
  const dayAfter = (days: number): string => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  const documents = DOCUMENT_TYPES.map((type) =>
    aDocument({ courierId: courier.id, type, status: 'approved', expiresOn: dayAfter(type === 'license' ? 1 : 400) }),
  );
  const rows = documents.map((one) => ({ _id: one.id, ...one, dueAt: now + 2 * DAY_MS }));
  await world.mongo.collection(DOCUMENTS).insertMany(rows);
  const update: typeof world.couriers.update = async (...given) => {
    // The licence expires between the decision and the write, while the courier still has a bicycle.
    await world.clock.advance(2 * DAY_MS);
    await settleDue(world)(() => true);
    expect(await world.couriers.get(courier.id)).toStrictEqual(courier);
    return world.couriers.update(...given);
  };
  const late = { ...world, couriers: { ...world.couriers, update } };
  const edited = await editCourier(late, courier.id, { vehicleType: 'scooter' }, asCourier(courier), null);
  expect(edited).toMatchObject({ vehicleType: 'scooter', state: 'suspended', suspendedFor: 'documents' });
});

test('[D183] staff give a courier a vehicle whose documents are missing, and the courier stays active', async () => {
  const courier = await storeCourier(world, { vehicleType: 'bicycle', availability: 'online' });
  const edited = await editCourier(world, courier.id, { vehicleType: 'car' }, staff, null);
  expect(edited).toMatchObject({ vehicleType: 'car', state: 'active', availability: 'online' });
  // The courier repeats what holds already, which only makes an entry of the audit log.
  const repeated = await editCourier(world, courier.id, { vehicleType: 'car' }, asCourier(courier), null);
  expect(repeated).toStrictEqual({ ...edited, version: edited.version + 1 });
});
