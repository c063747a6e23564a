// The vendor's system. It places the day's orders over REST when their time comes.
import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from '../../day/day.ts';
import { isFinal } from '../../clients/api.ts';
import { noteSurprise } from './tally.ts';
import type { World } from './world.ts';

const MOST_TRIES = 10;
const AGAIN_MS = 1000;

/** Places every order at its minute. Resolves when the last one is accepted, with the refused orders. */
export async function placeOrders(world: World, orders: readonly Order[], runId: string): Promise<Order[]> {
  const placed = orders.map(async (order) => {
    await world.time.until(world.toService(order.placedMin));
    return (await place(world, order, `${runId}-${order.id}`)) ? null : order;
  });
  return (await Promise.all(placed)).filter((order) => order !== null);
}

async function place(world: World, order: Order, externalId: string): Promise<boolean> {
  const post = (path: string, body: object): Promise<{ id: string }> =>
    world.api.call('POST', path, { token: world.vendor.key, body });
  const plain = bodyOf(world, order, externalId);
  let body = world.asksForQuotes ? null : plain;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      body ??= { ...plain, quote_id: (await post('/express/quotes', plain)).id };
      // For the same external_id and content, the server answers with the existing delivery.
      const { id } = await post('/deliveries', body);
      world.orders.placed(id, order);
      world.tally.ordersCreated += 1;
      return true;
    } catch (error) {
      // A final refusal is reported with its code. Without an answer the request is repeated.
      noteSurprise(world.tally, `create: ${error instanceof Error ? error.message : String(error)}`);
      if (isFinal(error)) return false;
      world.tally.createsRetried += 1;
      await pause(AGAIN_MS);
    }
  }
  return false;
}

function bodyOf(
  { place: toGlobe, toService }: World,
  { restaurant, at, readyMin, id }: Order,
  externalId: string,
): object {
  return {
    external_id: externalId,
    priority: 'express',
    pickup: {
      coordinates: toGlobe(restaurant.at),
      address: `Restaurant ${restaurant.id}`,
      contact: { name: `Restaurant ${restaurant.id}`, phone: '+4930901820' },
      window: { ready_at: new Date(toService(readyMin)).toISOString() },
    },
    drop_off: [
      {
        coordinates: toGlobe(at),
        address: `Home of ${id}`,
        contact: { name: `Recipient ${id}`, phone: '+4930901821' },
      },
    ],
    metadata: { category: 'Food', weight: 1 },
  };
}
