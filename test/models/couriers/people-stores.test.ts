import { expect, test } from 'vitest';
import type { Alarm } from '../../../src/domain/alarm.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, aLocation, aQuote, aVendor, NOON } from '../../builders.ts';
import { fingerprint, openHouse, storeCourier } from '../../engines/mongo-house.ts';

const house = await openHouse('people-stores');

test('[S21] a phone has one courier per mode; a second one is not stored', async () => {
  const courier = await storeCourier(house);
  const stored = await fingerprint(house);
  expect(await house.couriers.add(aCourier({ phone: courier.phone }))).toBe(false);
  expect(await fingerprint(house)).toEqual(stored);
  const live = aCourier({ phone: courier.phone, liveMode: true });
  expect(await house.couriers.add(live)).toBe(true);
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
  const { id, idleSinceAt } = await storeCourier(house, { state: 'pending', availability: 'offline' });
  expect(await house.couriers.setState(id, 1, 'active')).toMatchObject({ state: 'active', version: 2, idleSinceAt });
  const online = await house.couriers.setAvailability(id, 2, 'online', NOON + 5000);
  expect(online).toMatchObject({ availability: 'online', version: 3, idleSinceAt: NOON + 5000 });
  const stored = await fingerprint(house);
  expect(await house.couriers.setState(id, 2, 'suspended')).toBeNull();
  expect(await house.couriers.setAvailability(id, 2, 'offline', NOON)).toBeNull();
  expect(await house.couriers.setState(newId('cou'), 1, 'active')).toBeNull();
  expect(await fingerprint(house)).toEqual(stored);
  const suspended = await house.couriers.setState(id, 3, 'suspended');
  expect(suspended).toMatchObject({ state: 'suspended', availability: 'offline', version: 4 });
  expect(await house.couriers.get(id)).toStrictEqual(suspended);
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
