/** Shared by tests of the vendor's reports about goods: orders with ready times, and spans in minutes. */
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { searchFor } from '../../src/domain/deliveries/search.ts';
import { aStop } from '../builders.ts';
import { storeDelivery, type World } from './world.ts';

export const MINUTE = 60_000;

type Given = NonNullable<Parameters<typeof storeDelivery>[1]>;

/** Makes a function that stores an express delivery ordered now. */
export function ordersIn(world: World): (readyInMin: number | null, over?: Given) => Promise<Delivery> {
  return (readyInMin, over) => storeDelivery(world, orderOf(world, readyInMin, over));
}

/** `readyInMin` is its named ready time. Its search starts and counts the leads before that, for 15 min. */
export function orderOf({ clock, settings }: World, readyInMin: number | null, over: Given = {}): Given {
  const now = clock.now();
  const readyAt = readyInMin === null ? null : now + readyInMin * MINUTE;
  return {
    pickup: aStop(0, { window: readyAt === null ? null : { readyAt, deadlineAt: readyAt + 10 * MINUTE } }),
    ...searchFor({ namedAt: readyAt, estimatedAt: null, closesAt: null }, 15 * MINUTE, settings.search, now),
    ...over,
    times: { createdAt: now, updatedAt: now, ...over.times },
  };
}

export const windowOf = ({ pickup }: Delivery): Delivery['pickup']['window'] => pickup.window;

/** When its search starts, when it counts, and when it ends. */
export const spanOf = ({ searchFromAt, searchCountsFromAt, searchUntilAt }: Delivery): number[] => [
  searchFromAt,
  searchCountsFromAt,
  searchUntilAt,
];

/** The times in minutes after `start`. */
export function minutesFrom(start: number, ...times: (number | null | undefined)[]): (number | null)[] {
  return times.map((at) => (at === null || at === undefined ? null : (at - start) / MINUTE));
}
