import { expect, test } from 'vitest';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { newId, type CourierId } from '../../../src/domain/ids.ts';
import { createRoster } from '../../../src/models/couriers/courier-roster.ts';
import { createStores } from '../../../src/models/stores.ts';
import type { Roster } from '../../../src/ports/couriers.ts';
import { aCourier, NOON } from '../../builders.ts';
import { patient } from '../../clock.ts';
import { until } from '../../until.ts';
import {
  anAssignment,
  CLOCK,
  openHouse,
  storeCourier,
  storeDelivery,
  type House,
  SETTINGS,
} from '../../engines/mongo-house.ts';
import { COURIERS } from '../../../src/models/couriers/courier-rows.ts';

const house = await openHouse('roster');
const rows = house.mongo.collection(COURIERS);

/** The stores of another process. */
function another(): House {
  return { ...house, ...createStores(house.mongo, patient(CLOCK), SETTINGS) };
}

async function known({ roster }: House, id: CourierId): Promise<Courier | null> {
  await roster.refresh();
  await roster.know([id]);
  return roster.find(id);
}

/** Waits until the roster knows everybody. */
async function whole(roster: Pick<Roster, 'refresh' | 'isWhole'>): Promise<void> {
  await roster.refresh();
  await until(() => roster.isWhole());
}

test('[S27] the roster shows the writes of its own process at once, and those of others soon', async () => {
  const here = another();
  const there = another();
  const courier = await storeCourier(here);
  expect(await known(here, courier.id)).toStrictEqual(courier);
  expect(await known(there, courier.id)).toStrictEqual(courier);
  const delivery = await storeDelivery(here);
  expect(await here.commit(anAssignment(delivery, courier))).toMatchObject({ ok: true });
  expect(await known(here, courier.id)).toMatchObject({ version: 2, active: [delivery.id] });
  expect(here.roster.courierOf(delivery.id)).toBe(courier.id);
  await until(async () => (await known(there, courier.id))?.version === 2);
  expect(there.roster.courierOf(delivery.id)).toBe(courier.id);
  // Repeated, so that the stream cannot be in time every time.
  for (let version = 2; version < 30; version += 1) {
    await here.couriers.setAvailability({ id: courier.id, version }, 'online', NOON + version, null);
    expect(await known(here, courier.id)).toMatchObject({ version: version + 1 });
  }
  const late = await storeCourier(there);
  await until(async () => (await known(here, late.id)) !== null);
});

test('[S28] the roster has only active couriers who are online, by mode, kind and vehicle', async () => {
  const [reader, writer] = [another(), another()];
  const van = { liveMode: true, kind: 'courier', vehicleType: 'van' } as const;
  const online = await storeCourier(writer, van);
  const offline = await storeCourier(writer, { ...van, availability: 'offline' });
  const suspended = await storeCourier(writer, { ...van, state: 'suspended' });
  for (const { id } of [offline, suspended]) expect(await known(reader, id)).toBeNull();
  await whole(reader.roster);
  expect([...reader.roster.ofKind(van)]).toEqual([online.id]);
  expect([...reader.roster.ofKind({ ...van, liveMode: false })]).toEqual([]);
  await writer.couriers.setAvailability({ id: offline.id, version: 1 }, 'online', NOON, null);
  await writer.couriers.setAvailability({ id: online.id, version: 1 }, 'offline', NOON, null);
  await until(async () => (await known(reader, offline.id)) !== null && (await known(reader, online.id)) === null);
  expect([...reader.roster.ofKind(van)]).toEqual([offline.id]);
  await rows.deleteOne({ _id: offline.id });
  await until(async () => (await known(reader, offline.id)) === null);
  expect(reader.roster.ofKind(van).size).toBe(0);
});

test('[S28] a crowd is read in pages, and only once for many concurrent callers', async () => {
  const crowd = Array.from({ length: 1234 }, () => aCourier({ vehicleType: 'bicycle' }));
  await rows.insertMany(crowd.map((courier) => ({ _id: courier.id, ...courier })));
  const { roster } = another();
  await Promise.all([whole(roster), whole(roster), whole(roster)]);
  const found = roster.ofKind({ liveMode: false, kind: 'courier', vehicleType: 'bicycle' });
  expect(crowd.filter(({ id }) => !found.has(id))).toEqual([]);
});

test('[S29] after more changes than the roster can remember, it reads all couriers again', async () => {
  const roster = createRoster(house.mongo, CLOCK);
  const courier = await storeCourier(house);
  await whole(roster);
  expect(roster.find(courier.id)?.version).toBe(1);
  await house.couriers.setAvailability({ id: courier.id, version: 1 }, 'online', NOON, null);
  // The stream might have reported as many other changes while the roster was not used.
  for (let count = 0; count <= 50_000; count += 1) roster.doubt(newId('cou'));
  await whole(roster);
  expect(roster.find(courier.id)?.version).toBe(2);
  const late = await storeCourier(house);
  await until(async () => {
    await roster.refresh();
    return roster.find(late.id) !== null;
  });
});

/** A roster whose reads of pages wait until the test lets them go on, or fail. */
function heldBack() {
  const gate = Promise.withResolvers<void>();
  let failures = 0;
  let pages = 0;
  const rows = house.mongo.collection(COURIERS);
  const slow = new Proxy(rows, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name);
      if (name !== 'find') return typeof own === 'function' ? own.bind(target) : own;
      return (filter: object, options: object) => {
        const cursor = target.find(filter, options);
        if (!('availability' in filter)) return cursor;
        pages += 1;
        const toArray = cursor.toArray.bind(cursor);
        // The page is read at once, and arrives late.
        const fails = failures > 0;
        failures -= fails ? 1 : 0;
        const lost = (): Promise<never> => Promise.reject(new Error('the page is lost'));
        return Object.assign(cursor, {
          toArray: fails ? lost : () => Promise.all([toArray(), gate.promise]).then(([page]) => page),
        });
      };
    },
  });
  const mongo = new Proxy(house.mongo, {
    get: (target, name) =>
      name === 'collection'
        ? (of: object) => (of === COURIERS ? slow : target.collection(of as never))
        : Reflect.get(target, name),
  });
  return {
    roster: createRoster(mongo, patient(CLOCK)),
    gate,
    pages: () => pages,
    fail: (times: number) => (failures = times),
  };
}

test('[S101] couriers asked for are known before all are read, and a page that was read earlier does not undo that', async () => {
  const { roster, gate, pages } = heldBack();
  const courier = await storeCourier(house);
  const other = await storeCourier(house);
  await roster.refresh();
  expect(roster.isWhole()).toBe(false);
  expect(roster.find(courier.id)).toBeNull();
  await until(() => pages() === 1);
  await house.couriers.setAvailability({ id: courier.id, version: 1 }, 'offline', NOON, null);
  await roster.know([courier.id]);
  expect([roster.find(courier.id), roster.find(other.id)]).toEqual([null, null]);
  gate.resolve();
  await until(() => roster.isWhole());
  expect(roster.find(courier.id)).toBeNull();
  expect(roster.find(other.id)).toStrictEqual(other);
});

test.each([
  { pageMs: 5, restMs: 15 },
  { pageMs: 10_000, restMs: 1000 },
])('[S101] after a page that took $pageMs ms, the reading of all rests for $restMs ms', async ({ pageMs, restMs }) => {
  const rests: number[] = [];
  let now = 0;
  const pause = (ms: number): Promise<void> => {
    rests.push(ms);
    return Promise.resolve();
  };
  const real = { ...CLOCK.real, elapsed: () => (now += pageMs), pause };
  const roster = createRoster(house.mongo, { ...patient(CLOCK), real });
  await storeCourier(house);
  await whole(roster);
  expect(rests).toEqual(rests.map(() => restMs));
  expect(rests.length).toBeGreaterThan(0);
});

test('[S101] if a page cannot be read, the next use fails, and the one after it begins again', async () => {
  const { roster, gate, fail } = heldBack();
  const courier = await storeCourier(house);
  gate.resolve();
  fail(1);
  await roster.refresh();
  await until(() =>
    roster.refresh().then(
      () => false,
      (error: unknown) => String(error).includes('the page is lost'),
    ),
  );
  await whole(roster);
  expect(roster.find(courier.id)).toStrictEqual(courier);
});

test('[S101] while all are read again, the roster answers with what it knew, and forgets who is gone', async () => {
  const roster = createRoster(house.mongo, patient(CLOCK));
  const [courier, leaver] = [await storeCourier(house), await storeCourier(house)];
  await whole(roster);
  for (let count = 0; count <= 50_000; count += 1) roster.doubt(newId('cou'));
  expect(roster.isWhole()).toBe(false);
  // A run that began before may still ask for couriers.
  await roster.know([courier.id]);
  await rows.deleteOne({ _id: leaver.id });
  await roster.refresh();
  expect(roster.find(courier.id)).toStrictEqual(courier);
  await until(() => roster.isWhole());
  expect([roster.find(courier.id), roster.find(leaver.id)]).toEqual([courier, null]);
});
