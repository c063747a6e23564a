// A day: restaurants, orders and couriers on a plane of metres, as a folder of tab-separated files in the MDRP form.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Metres east and north on the day's own plane. */
export type Point = { readonly x: number; readonly y: number };
export type Coordinates = { readonly lat: number; readonly lng: number };

export type Restaurant = { readonly id: string; readonly at: Point };
/** Times are minutes of the day. */
export type Order = {
  readonly id: string;
  readonly at: Point;
  readonly placedMin: number;
  readonly restaurant: Restaurant;
  readonly readyMin: number;
};
export type Courier = { readonly id: string; readonly at: Point; readonly onMin: number; readonly offMin: number };

export type DayParameters = {
  readonly metresPerMin: number;
  /** Minutes at a pickup, half of them before the courier has the goods and half after. */
  readonly pickupServiceMin: number;
  readonly dropOffServiceMin: number;
  readonly targetMin: number;
  readonly mostMin: number;
  readonly payPerOrder: number;
  readonly payPerHour: number;
};

export type Day = {
  /** Where the plane's point 0, 0 lies. Absent if the day may lie anywhere. */
  readonly origin?: Coordinates;
  readonly parameters: DayParameters;
  readonly restaurants: readonly Restaurant[];
  readonly orders: readonly Order[];
  readonly couriers: readonly Courier[];
};

/** A day that cannot be read. The message names the file, the line and the mistake. */
export class DayError extends Error {
  override readonly name = 'DayError';
}

const RESTAURANT_COLUMNS = ['restaurant', 'x', 'y'];
const ORDER_COLUMNS = ['order', 'x', 'y', 'placement_time', 'restaurant', 'ready_time'];
const COURIER_COLUMNS = ['courier', 'x', 'y', 'on_time', 'off_time'];
const PARAMETER_COLUMNS = [
  'meters_per_minute',
  'pickup service minutes',
  'dropoff service minutes',
  'target click-to-door',
  'maximum click-to-door',
  'pay per order',
  'guaranteed pay per hour',
];
/** Only a day that lies in a place has these columns of its parameters. */
const ORIGIN_COLUMNS = ['origin latitude', 'origin longitude'] as const;

/** Reads a day folder. @throws DayError if a file is missing or a line is invalid */
export async function readDay(dir: string): Promise<Day> {
  const restaurants = (await readTable(dir, 'restaurants.txt', RESTAURANT_COLUMNS)).map((row) => ({
    id: row.text('restaurant'),
    at: pointOf(row),
  }));
  const byId = new Map(unique(restaurants, 'restaurants.txt').map((restaurant) => [restaurant.id, restaurant]));
  const orders = (await readTable(dir, 'orders.txt', ORDER_COLUMNS)).map((row) => orderOf(row, byId));
  const couriers = (await readTable(dir, 'couriers.txt', COURIER_COLUMNS)).map(courierOf);
  const [parameters] = await readTable(dir, 'instance_parameters.txt', PARAMETER_COLUMNS);
  if (parameters === undefined) throw new DayError(`${join(dir, 'instance_parameters.txt')}: has no row`);
  return {
    ...originOf(parameters),
    parameters: parametersOf(parameters),
    restaurants,
    orders: unique(orders, 'orders.txt').toSorted((a, b) => a.placedMin - b.placedMin),
    couriers: unique(couriers, 'couriers.txt'),
  };
}

function orderOf(row: Row, restaurants: ReadonlyMap<string, Restaurant>): Order {
  const restaurant = restaurants.get(row.text('restaurant'));
  if (restaurant === undefined) throw row.error(`restaurant ${row.text('restaurant')} is not in restaurants.txt`);
  const order = {
    id: row.text('order'),
    at: pointOf(row),
    placedMin: row.number('placement_time'),
    restaurant,
    readyMin: row.number('ready_time'),
  };
  if (order.readyMin < order.placedMin) throw row.error('ready_time is before placement_time');
  return order;
}

function courierOf(row: Row): Courier {
  const courier = {
    id: row.text('courier'),
    at: pointOf(row),
    onMin: row.number('on_time'),
    offMin: row.number('off_time'),
  };
  if (courier.offMin < courier.onMin) throw row.error('off_time is before on_time');
  return courier;
}

function parametersOf(row: Row): DayParameters {
  const parameters = {
    metresPerMin: row.number('meters_per_minute'),
    pickupServiceMin: row.number('pickup service minutes'),
    dropOffServiceMin: row.number('dropoff service minutes'),
    targetMin: row.number('target click-to-door'),
    mostMin: row.number('maximum click-to-door'),
    payPerOrder: row.number('pay per order'),
    payPerHour: row.number('guaranteed pay per hour'),
  };
  if (!(parameters.metresPerMin > 0)) throw row.error('meters_per_minute must be above 0');
  return parameters;
}

function originOf(row: Row): Pick<Day, 'origin'> {
  const [latColumn, lngColumn] = ORIGIN_COLUMNS;
  if (!row.has(latColumn)) return {};
  const [lat, lng] = [row.number(latColumn), row.number(lngColumn)];
  if (!(Math.abs(lat) <= 85 && Math.abs(lng) <= 180)) throw row.error('the origin is not a place on the globe');
  return { origin: { lat, lng } };
}

function pointOf(row: Row): Point {
  return { x: row.number('x'), y: row.number('y') };
}

type Row = {
  has(column: string): boolean;
  text(column: string): string;
  number(column: string): number;
  error(what: string): DayError;
};

async function readTable(dir: string, name: string, columns: readonly string[]): Promise<Row[]> {
  const path = join(dir, name);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    // For any error of the file system, the user needs to know which file of the day is missing.
    throw new DayError(`${path}: cannot be read`, { cause });
  });
  const [header = '', ...lines] = text.split(/\r?\n/u).map((line) => line.trimEnd());
  const names = header.split('\t');
  const absent = columns.find((column) => !names.includes(column));
  if (absent !== undefined) throw new DayError(`${path}:1: the header has no column "${absent}"`);
  return lines.flatMap((line, index) => (line === '' ? [] : [rowOf(`${path}:${index + 2}`, names, line.split('\t'))]));
}

function rowOf(where: string, names: readonly string[], cells: readonly string[]): Row {
  const error = (what: string): DayError => new DayError(`${where}: ${what}`);
  const text = (column: string): string => {
    const cell = cells[names.indexOf(column)];
    if (cell === undefined || cell === '') throw error(`${column} is empty`);
    return cell;
  };
  const number = (column: string): number => {
    const value = Number(text(column));
    if (!Number.isFinite(value)) throw error(`${column} is not a number: ${text(column)}`);
    return value;
  };
  return { has: (column) => names.includes(column), text, number, error };
}

function unique<T extends { readonly id: string }>(items: readonly T[], name: string): readonly T[] {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) throw new DayError(`${name}: ${id} is there twice`);
    seen.add(id);
  }
  return items;
}

/** Writes the four files of a day, and makes the folder if it is absent. */
export async function writeDay(dir: string, { origin, parameters, restaurants, orders, couriers }: Day): Promise<void> {
  await mkdir(dir, { recursive: true });
  const named = origin === undefined ? [] : ORIGIN_COLUMNS;
  const where = origin === undefined ? [] : [origin.lat, origin.lng];
  const tables: [string, readonly string[], readonly (readonly (string | number)[])[]][] = [
    ['restaurants.txt', RESTAURANT_COLUMNS, restaurants.map(({ id, at }) => [id, at.x, at.y])],
    [
      'orders.txt',
      ORDER_COLUMNS,
      orders.map((order) => [order.id, order.at.x, order.at.y, order.placedMin, order.restaurant.id, order.readyMin]),
    ],
    ['couriers.txt', COURIER_COLUMNS, couriers.map(({ id, at, onMin, offMin }) => [id, at.x, at.y, onMin, offMin])],
    ['instance_parameters.txt', [...PARAMETER_COLUMNS, ...named], [[...Object.values(parameters), ...where]]],
  ];
  for (const [name, columns, rows] of tables) {
    await writeFile(join(dir, name), [columns, ...rows].map((cells) => `${cells.join('\t')}\n`).join(''));
  }
}

/**
 * The part of a day with the orders placed from one minute up to, but not including, another, and the couriers who work
 * then or later.
 */
export function cutDay(day: Day, fromMin: number, toMin: number): Day {
  const orders = day.orders.filter(({ placedMin }) => placedMin >= fromMin && placedMin < toMin);
  const couriers = day.couriers.filter(({ onMin, offMin }) => offMin > fromMin && onMin < toMin);
  return { ...day, orders, couriers };
}

/** Metres between two points of the plane. */
export function distanceM(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}
