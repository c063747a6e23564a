import { expect, test } from 'vitest';
import { chooseCouriers, type Wanted } from '../../../src/dispatch/couriers/near-couriers.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { distanceM, offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { newId, type CourierId } from '../../../src/domain/ids.ts';
import type { Roster } from '../../../src/ports/couriers.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier, aDelivery, aPosition, aStop, CENTER } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { keptPositions } from '../../kept-ports.ts';

type Stands = { readonly courier: Courier; readonly place: Coordinates };

/** A city in which these couriers stand, all online and present. */
function cityOf(stands: readonly Stands[], onLook: () => void = () => undefined, nearCouriers = 200, isWhole = true) {
  const positions = keptPositions();
  for (const { courier, place } of stands) positions.put(aPosition({ courierId: courier.id, ...place }));
  const couriers = stands.map(({ courier }) => courier);
  const byId = new Map(couriers.map((courier) => [courier.id, courier]));
  const known = new Set<CourierId>(isWhole ? byId.keys() : []);
  const roster: Roster = {
    refresh: () => Promise.resolve(),
    isWhole: () => isWhole,
    know: (ids) => Promise.resolve(ids.forEach((id) => known.add(id))),
    find: (id) => {
      onLook();
      return known.has(id) ? (byId.get(id) ?? null) : null;
    },
    courierOf: (id) => couriers.find(({ active }) => active.includes(id))?.id ?? null,
    ofKind: ({ liveMode, kind, vehicleType }) => {
      const alike = (one: Courier) => one.liveMode === liveMode && one.kind === kind && one.vehicleType === vehicleType;
      return new Set(couriers.filter((one) => known.has(one.id) && alike(one)).map(({ id }) => id));
    },
  };
  const defaults = defaultSettings();
  const settings = { ...defaults, dispatch: { ...defaults.dispatch, nearCouriers } };
  const ctx = { positions, roster, clock: handClock(), settings };
  return async (wanted: Partial<Wanted>): Promise<Courier[]> => {
    const chosen = await chooseCouriers(ctx, { deliveries: [], recent: [], known: [], ...wanted });
    return chosen.map(({ courier }) => courier);
  };
}

/** Couriers on a line to the north, this far from each other. */
function line(count: number, stepM: number, over: Partial<Courier> = {}): Stands[] {
  return Array.from({ length: count }, (_, index) => ({
    courier: aCourier(over),
    place: offsetBy(CENTER, 0, (index + 1) * stepM),
  }));
}

function wantedAt(place: Coordinates, over: Partial<Delivery> = {}): Delivery {
  return aDelivery({ pickup: aStop(0, { place }), ...over });
}

test('[O58] the nearest couriers around a pickup who fit its goods are chosen', async () => {
  const stands = [
    ...line(400, 10),
    ...line(400, 10, { liveMode: true }),
    ...line(400, 10, { kind: 'robo' }),
    ...line(400, 10, { vehicleType: 'bicycle' }),
  ];
  const chosen = await cityOf(stands)({ deliveries: [wantedAt(CENTER, { metadata: { weight: 20 } })] });
  expect(chosen.length).toBeGreaterThanOrEqual(200);
  expect(chosen.length).toBeLessThan(210);
  expect(new Set(chosen)).toEqual(new Set(stands.slice(0, chosen.length).map(({ courier }) => courier)));
});

test('[O89] before every courier is known, 64 close to each pickup and those of the last run are chosen', async () => {
  const stands = line(300, 10);
  const ofLastRun = stands[250]!.courier;
  const { length } = stands.slice(0, 64);
  const city = cityOf(stands, undefined, 200, false);
  const chosen = await city({
    deliveries: [wantedAt(CENTER)],
    recent: [wantedAt(stands[150]!.place)],
    known: [ofLastRun.id],
  });
  expect(new Set(chosen)).toEqual(new Set([...stands.slice(0, length).map(({ courier }) => courier), ofLastRun]));
});

test('[O58] more searches lead to more chosen couriers, whatever the number of pickups', async () => {
  const settings = defaultSettings();
  const counters = Array.from({ length: 60 }, (_, index) => offsetBy(CENTER, (index % 8) * 60, (index % 7) * 60));
  const deliveries = Array.from({ length: 600 }, (_, index) => wantedAt(counters[index % 60]!));
  const stands = line(4000, 5);
  const chosen = await cityOf(stands)({ deliveries });
  expect(chosen.length).toBeGreaterThan(2 * 600);
  expect(chosen.length).toBeLessThan(settings.dispatch.mostCouriers);
});

test('[O58] busy couriers count for nothing, and are at most as many as the free ones that are needed', async () => {
  const busy = line(3000, 2, { active: [newId('del')] });
  const free = line(300, 30);
  const chosen = await cityOf([...busy, ...free])({ deliveries: [wantedAt(CENTER)] });
  const isBusy = ({ active }: Courier): boolean => active.length > 0;
  expect(chosen.filter((courier) => !isBusy(courier)).length).toBeGreaterThan(20);
  expect(chosen.length).toBeLessThanOrEqual(2 * 202);
});

test('[O58] of a rare kind all couriers in reach are found, however many others stand nearer', async () => {
  const vans = [3000, 9000, 25_000].map((m) => ({
    courier: aCourier({ vehicleType: 'van' }),
    place: offsetBy(CENTER, m, 0),
  }));
  const chosen = await cityOf(
    [...line(3000, 1), ...vans],
    undefined,
    32,
  )({
    deliveries: [wantedAt(CENTER, { metadata: { weight: 500 } })],
  });
  expect(new Set(chosen)).toEqual(new Set(vans.slice(0, 2).map(({ courier }) => courier)));
});

test('[O59] known couriers, and those with room on the way to a pickup location, are chosen wherever they are', async () => {
  const [planned, heading, full, elsewhere] = [0, 1, 2, 3].map(() => newId('del'));
  const far = offsetBy(CENTER, 18_000, 0);
  const asked = aCourier();
  const joins = aCourier({ active: [heading!], capacity: 2 });
  const cannot = aCourier({ active: [full!] });
  const other = aCourier({ active: [elsewhere!], capacity: 2 });
  const stands = [...line(500, 5), ...[asked, joins, cannot, other].map((courier) => ({ courier, place: far }))];
  const chosen = await cityOf(stands)({
    deliveries: [wantedAt(CENTER, { id: planned! })],
    recent: [
      wantedAt(CENTER, { id: heading! }),
      wantedAt(CENTER, { id: full! }),
      wantedAt(offsetBy(CENTER, 100, 0), { id: elsewhere! }),
    ],
    known: [asked.id, newId('cou')],
  });
  const fromAfar = chosen.filter(({ id }) => [asked, joins, cannot, other].some((one) => one.id === id));
  expect(new Set(fromAfar)).toEqual(new Set([asked, joins]));
});

test('[O59] a few couriers are chosen where orders are only expected', async () => {
  const there = offsetBy(CENTER, 10_000, 0);
  const stands = [
    ...line(500, 5),
    ...line(500, 5).map(({ courier }, i) => ({ courier, place: offsetBy(there, i, 0) })),
  ];
  const chosen = await cityOf(stands)({ deliveries: [wantedAt(CENTER)], recent: [wantedAt(there)] });
  const near = new Set(stands.slice(500).map(({ courier }) => courier.id));
  expect(chosen.filter(({ id }) => near.has(id))).toHaveLength(8);
  expect(distanceM(there, CENTER)).toBeGreaterThan(9000);
});

test('[O60] a run looks only at what is near, however many couriers are online', async () => {
  const lookedAt = async (count: number): Promise<number> => {
    let looked = 0;
    const city = cityOf(line(count, 5), () => (looked += 1));
    await city({ deliveries: [wantedAt(CENTER), wantedAt(offsetBy(CENTER, 0, 4000))] });
    return looked;
  };
  const looked = await lookedAt(3000);
  expect(looked).toBeGreaterThan(200);
  expect(await lookedAt(9000)).toBe(looked);
});
