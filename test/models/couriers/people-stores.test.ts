import { expect, test } from 'vitest';
import type { Alarm } from '../../../src/domain/alarm.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, aLocation, aQuote, aVendor, NOON } from '../../builders.ts';
import { fingerprint, openHouse, storeCourier } from '../../engines/mongo-house.ts';
import { standingIn } from '../../../src/domain/couriers/courier.ts';
import { AUDIT } from '../../../src/models/audit-shapes.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { anEntry, anUnfitEntry, UNFIT } from '../audit/an-entry.ts';

const house = await openHouse('people-stores');

test('[S21] a phone has one courier per mode; a second one is not stored', async () => {
  const courier = await storeCourier(house);
  const stored = await fingerprint(house);
  expect(await house.couriers.add(aCourier({ phone: courier.phone }), anEntry())).toBe(false);
  expect(await fingerprint(house)).toEqual(stored);
  const live = aCourier({ phone: courier.phone, liveMode: true });
  expect(await house.couriers.add(live, anEntry())).toBe(true);
  expect(await house.couriers.findByPhone(courier.phone, false)).toStrictEqual(courier);
  expect(await house.couriers.findByPhone(courier.phone, true)).toStrictEqual(live);
  expect(await house.couriers.findByPhone('+490', true)).toBeNull();
});

test('[S22] couriers are found by id, alone, together or among those online; an unknown one is refused', async () => {
  const online = await storeCourier(house);
  const offline = await storeCourier(house, { availability: 'offline' });
  const suspended = await storeCourier(house, { state: 'suspended' });
  const ids = [online.id, offline.id, suspended.id, newId('cou')];
  expect(await house.couriers.get(online.id)).toStrictEqual(online);
  expect(await house.couriers.find(newId('cou'))).toBeNull();
  await expect(house.couriers.get(newId('cou'))).rejects.toMatchObject({ code: 'courier_not_found' });
  expect(await house.couriers.findMany(ids)).toHaveLength(3);
  expect(await house.couriers.listOnline(ids)).toStrictEqual([online]);
});

test('[S22] a courier changes only if the version is the present one; only active couriers are online', async () => {
  const pending = await storeCourier(house, { state: 'pending', availability: 'offline' });
  const { id, idleSinceAt } = pending;
  const [active, suspended] = [standingIn(pending, 'active'), standingIn(pending, 'suspended')];
  const { couriers } = house;
  const at = (version: number) => ({ id, version });
  expect(await couriers.setStanding(at(1), active, anEntry())).toMatchObject({
    state: 'active',
    version: 2,
    idleSinceAt,
  });
  const online = await couriers.setAvailability(at(2), 'online', NOON + 5000, null);
  expect(online).toMatchObject({ availability: 'online', version: 3, idleSinceAt: NOON + 5000 });
  const stored = await fingerprint(house);
  expect(await couriers.setStanding(at(2), suspended, anEntry())).toBeNull();
  expect(await couriers.setAvailability(at(2), 'offline', NOON, null)).toBeNull();
  expect(await couriers.setAvailability(at(2), 'offline', NOON, anEntry())).toBeNull();
  expect(await couriers.setStanding({ id: newId('cou'), version: 1 }, active, anEntry())).toBeNull();
  expect(await fingerprint(house)).toEqual(stored);
  const after = await couriers.setStanding(at(3), suspended, anEntry());
  expect(after).toMatchObject({ state: 'suspended', availability: 'offline', version: 4 });
  expect(await house.couriers.get(id)).toStrictEqual(after);
});

test('[A108] each write of a courier and its entry of the audit log are stored together, or neither is', async () => {
  const courier = await storeCourier(house, { availability: 'offline' });
  const { couriers } = house;
  const writes = {
    add: (entry: AuditEntry) => couriers.add(aCourier(), entry),
    setStanding: (entry: AuditEntry) => couriers.setStanding(courier, standingIn(courier, 'suspended'), entry),
    setAvailability: (entry: AuditEntry) => couriers.setAvailability({ ...courier, version: 2 }, 'online', NOON, entry),
    update: (entry: AuditEntry) => couriers.update({ ...courier, version: 3 }, { ...courier, name: 'Somebody' }, entry),
  };
  // With the right version each write would stand, if not for its entry.
  for (const [name, write] of Object.entries(writes)) {
    const before = await fingerprint(house);
    await expect(write(anUnfitEntry()), name).rejects.toThrow(UNFIT);
    expect([name, await fingerprint(house)]).toEqual([name, before]);
    const entry = anEntry();
    await write(entry);
    expect([name, await house.mongo.collection(AUDIT).countDocuments({ _id: entry.id })]).toEqual([name, 1]);
  }
  expect(await house.couriers.get(courier.id)).toMatchObject({ name: 'Somebody', state: 'suspended', version: 4 });
});

test('[S22] vendors and locations are read as they were stored; an unknown vendor is refused', async () => {
  const vendor = aVendor();
  const location = aLocation({ vendorId: vendor.id });
  await house.vendors.add(vendor);
  await house.vendors.addLocation(location);
  expect(await house.vendors.get(vendor.id)).toStrictEqual(vendor);
  expect(await house.vendors.findLocation(location.id)).toStrictEqual(location);
  expect(await house.vendors.find(newId('ven'))).toBeNull();
  expect(await house.vendors.findLocation(newId('loc'))).toBeNull();
  await expect(house.vendors.get(newId('ven'))).rejects.toMatchObject({ code: 'vendor_not_found' });
});

test('[S22] only the vendor of a quote finds it, and only in its mode', async () => {
  const quote = aQuote();
  await house.quotes.add(quote);
  expect(await house.quotes.get(quote.id, quote.vendorId, false)).toStrictEqual(quote);
  const refused = { code: 'quote_not_found' };
  await expect(house.quotes.get(quote.id, newId('ven'), false)).rejects.toMatchObject(refused);
  await expect(house.quotes.get(quote.id, quote.vendorId, true)).rejects.toMatchObject(refused);
  await expect(house.quotes.get(newId('qte'), quote.vendorId, false)).rejects.toMatchObject(refused);
});

test('[S23] an alarm is open once per kind and delivery, and can be raised again once it was cleared', async () => {
  const deliveryId = newId('del');
  const alarm = (kind: Alarm['kind'], since: number, over: Partial<Alarm> = {}): Alarm => ({
    id: newId('alm'),
    kind,
    deliveryId,
    courierId: null,
    cell: '87',
    since,
    clearedAt: null,
    detail: '',
    ...over,
  });
  const listOpen = async () => (await house.alarms.listOpen({ limit: 10, after: null })).items;
  const late = alarm('late', NOON + 2);
  const silent = alarm('courier_silent', NOON + 1, { courierId: newId('cou') });
  const other = alarm('late', NOON, { deliveryId: newId('del') });
  const raised = await Promise.all([late, late, late].map((one) => house.alarms.raise({ ...one, id: newId('alm') })));
  expect(raised.filter((one) => one !== null)).toHaveLength(1);
  expect(await house.alarms.raise(silent)).toStrictEqual(silent);
  expect(await house.alarms.raise(silent)).toBeNull();
  expect(await house.alarms.raise(other)).toStrictEqual(other);
  const first = raised.find((one) => one !== null);
  expect(await listOpen()).toStrictEqual([first, silent, other]);
  const { items, next } = await house.alarms.listOpen({ limit: 2, after: null });
  expect(items).toStrictEqual([first, silent]);
  expect(await house.alarms.listOpen({ limit: 2, after: next })).toStrictEqual({ items: [other], next: null });
  expect(await house.alarms.findOpen('late', [deliveryId, newId('del')])).toStrictEqual([first]);

  const [cleared, ...rest] = await house.alarms.clear(deliveryId, 'late');
  expect(rest).toEqual([]);
  expect(cleared).toStrictEqual({ ...first, clearedAt: expect.any(Number) as number });
  expect(await house.alarms.clear(deliveryId, 'late')).toEqual([]);
  expect(await house.alarms.raise(late)).toStrictEqual(late);
  expect((await house.alarms.clear(deliveryId)).map(({ id }) => id).toSorted()).toEqual(
    [late.id, silent.id].toSorted(),
  );
  expect(await listOpen()).toStrictEqual([other]);
  expect(await house.alarms.findOpen('late', [deliveryId])).toEqual([]);
});
