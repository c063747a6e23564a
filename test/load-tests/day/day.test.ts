import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cutDay, distanceM, readDay, writeDay } from '../../../load-tests/day/day.ts';
import { generateDay } from '../../../load-tests/day/generate-day.ts';
import { layOnGlobe } from '../../../load-tests/day/globe.ts';
import { parseRequest } from '../../../load-tests/make-day.ts';
import { generateOverload, orderMinOf } from '../../../load-tests/day/overload-day.ts';
import { distanceM as greatCircleM } from '../../../src/domain/geo/geo.ts';

const REQUEST = { seed: 3, orders: 300, couriers: 40, restaurants: 50, fromMin: 600, toMin: 1320 };

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'day-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test('[Y1] a written day reads back as the same day', async () => {
  const day = generateDay(REQUEST);
  const dir = await folder();
  await writeDay(dir, day);
  expect(await readDay(dir)).toEqual(day);
});

test('[Y1] the example day can be read', async () => {
  const day = await readDay(join(import.meta.dirname, '../../../examples/day'));
  expect([day.orders.length, day.couriers.length]).toEqual([24, 8]);
});

test('[Y2] an invalid line is reported with the file, the line and the mistake', async () => {
  const dir = await folder();
  await writeDay(dir, generateDay(REQUEST));
  const wrong = async (name: string, line: string): Promise<string> => {
    const text = await readFile(join(dir, name), 'utf8');
    await writeFile(join(dir, name), `${text}${line}\n`);
    const error: unknown = await readDay(dir).catch((thrown: unknown) => thrown);
    await writeFile(join(dir, name), text);
    return error instanceof Error ? error.message : 'was read';
  };
  expect(await wrong('orders.txt', 'o999\t1\t1\t700\tr9999\t710')).toMatch(/orders\.txt:302: restaurant r9999/);
  expect(await wrong('orders.txt', 'o999\t1\t1\t700\tr1\t690')).toMatch(/ready_time is before placement_time/);
  expect(await wrong('orders.txt', 'o999\t1\tnorth\t700\tr1\t710')).toMatch(/y is not a number: north/);
  expect(await wrong('orders.txt', 'o1\t1\t1\t700\tr1\t710')).toMatch(/o1 is there twice/);
  expect(await wrong('couriers.txt', 'c99\t1\t1\t700')).toMatch(/couriers\.txt:42: off_time is empty/);
  await rm(join(dir, 'couriers.txt'));
  await expect(readDay(dir)).rejects.toThrow(/couriers\.txt: cannot be read/);
});

test('[Y3] the same seed makes the same day and another seed another', () => {
  expect(generateDay(REQUEST)).toEqual(generateDay(REQUEST));
  expect(generateDay({ ...REQUEST, seed: 4 })).not.toEqual(generateDay(REQUEST));
});

test('[Y3] a generated day has its peaks at lunch and dinner and its couriers where the demand is', () => {
  const day = generateDay({ ...REQUEST, orders: 2000 });
  const placed = (from: number, to: number): number =>
    day.orders.filter(({ placedMin }) => placedMin >= from && placedMin < to).length / (to - from);
  expect(placed(720, 780)).toBeGreaterThan(3 * placed(870, 960));
  expect(placed(1100, 1180)).toBeGreaterThan(3 * placed(870, 960));
  const onDuty = (minute: number): number =>
    day.couriers.filter(({ onMin, offMin }) => onMin <= minute && minute < offMin).length;
  expect(onDuty(760)).toBeGreaterThan(onDuty(930));
  expect(onDuty(1150)).toBeGreaterThan(onDuty(930));
});

test('[Y3] a wrong command line of make-day is refused with the mistake', () => {
  expect(() => parseRequest([])).toThrow('--out DIR is needed');
  expect(() => parseRequest(['--out', 'x', '--orders', 'many'])).toThrow('--orders must be a whole number from 1 up');
  expect(parseRequest(['--out', 'x', '--orders', '90'])).toMatchObject({ orders: 90, restaurants: 15, toMin: 1320 });
});

test('[Y33] an overloaded day has a middle hour with the requested multiple of the orders that its couriers can carry', () => {
  const request = { seed: 3, couriers: 30, restaurants: 30, fromMin: 690, overload: 1.2 };
  const { day, orderMin, capacityPerHour, rush } = generateOverload(request);
  expect(generateOverload(request).day).toEqual(day);
  expect(generateOverload({ ...request, seed: 4 }).day).not.toEqual(day);
  const placed = (from: number, to: number) =>
    day.orders.filter(({ placedMin }) => placedMin >= from && placedMin < to);
  const inRush = placed(rush.fromMin, rush.toMin);
  expect([inRush.length, rush.toMin - rush.fromMin]).toEqual([rush.orders, 60]);
  expect(inRush.length / capacityPerHour).toBeCloseTo(1.2, 1);
  expect(capacityPerHour).toBeCloseTo((30 * 60) / orderMin, 9);
  expect(placed(690, rush.fromMin).length / capacityPerHour).toBeCloseTo(0.6, 1);
  expect(placed(rush.toMin, 2000).length / capacityPerHour / 1.5).toBeCloseTo(0.6, 1);
  const lastMin = Math.max(...day.orders.map(({ placedMin }) => placedMin));
  expect(day.couriers.every(({ onMin, offMin }) => onMin === 690 && offMin > lastMin + 59)).toBe(true);
});

test('[Y33] an order takes the way from the drop-off before it to its restaurant, its own way, and both services', () => {
  const { parameters } = generateDay(REQUEST);
  const restaurant = (x: number) => ({ id: `r${x}`, at: { x, y: 0 } });
  const order = (from: number, to: number) => {
    return { id: 'o', at: { x: to, y: 0 }, placedMin: 0, readyMin: 0, restaurant: restaurant(from) };
  };
  // From the first drop-off it is 320 m to the second restaurant, which is then taken. From the second drop-off it is
  // 700 m to the first one.
  expect(orderMinOf([order(0, 960), order(1280, 700)], parameters)).toBeCloseTo(
    (960 + 320 + 580 + 700) / 320 / 2 + 8,
    9,
  );
});

test('[Y33] the number of orders of an overloaded day follows from the load and cannot be given', () => {
  expect(parseRequest(['--out', 'x', '--overload', '1.2'])).toMatchObject({
    kind: 'overload',
    couriers: 30,
    restaurants: 30,
    fromMin: 690,
    overload: 1.2,
  });
  expect(() => parseRequest(['--out', 'x', '--overload', 'much'])).toThrow('--overload must be a number above 0');
  expect(() => parseRequest(['--out', 'x', '--overload', '1.2', '--orders', '9'])).toThrow('--orders and --to follow');
});

test('[Y4] metres of the plane are metres on the globe, and its centre is at the origin', () => {
  const day = generateDay(REQUEST);
  const origin = { lat: 52.52, lng: 13.405 };
  const place = layOnGlobe(day, origin);
  const points = [...day.restaurants, ...day.orders].map(({ at }) => at);
  for (const [index, point] of points.entries()) {
    const other = points[(index * 7 + 1) % points.length] ?? point;
    const plane = distanceM(point, other);
    expect(Math.abs(greatCircleM(place(point), place(other)) - plane)).toBeLessThan(1 + plane * 0.003);
  }
  const lats = points.map((point) => place(point).lat);
  expect((Math.min(...lats) + Math.max(...lats)) / 2).toBeCloseTo(origin.lat, 6);
});

test('[Y49] a day that names its origin lies there, also a part of it', async () => {
  const origin = { lat: 47.1, lng: 9.5 };
  const day = { ...generateDay(REQUEST), origin };
  const dir = await folder();
  await writeDay(dir, day);
  const read = await readDay(dir);
  expect(read).toEqual(day);
  const elsewhere = { lat: 52.52, lng: 13.405 };
  expect(layOnGlobe(read, elsewhere)({ x: 0, y: 0 })).toEqual(origin);
  const [order] = cutDay(read, 700, 800).orders;
  const at = order?.at ?? { x: 0, y: 0 };
  expect(layOnGlobe(cutDay(read, 700, 800), elsewhere)(at)).toEqual(layOnGlobe(read, elsewhere)(at));
  await writeDay(dir, { ...day, origin: { lat: 99, lng: 9.5 } });
  await expect(readDay(dir)).rejects.toThrow(/instance_parameters\.txt:2: the origin is not a place on the globe/);
});

test('[Y5] a part of a day keeps the orders placed in its minutes and the couriers who work in them', () => {
  const day = generateDay(REQUEST);
  const cut = cutDay(day, 700, 800);
  expect(cut.orders.length).toBeGreaterThan(10);
  expect(cut.orders.every(({ placedMin }) => placedMin >= 700 && placedMin < 800)).toBe(true);
  expect(cut.couriers).toEqual(day.couriers.filter(({ onMin, offMin }) => onMin < 800 && offMin > 700));
});
