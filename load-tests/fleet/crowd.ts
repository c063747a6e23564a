// A process with couriers and readers, so that their work does not delay the bench. It carries out one order at a time.
import { setTimeout as pause } from 'node:timers/promises';
import { openSocketIo, type FrameClient } from '../clients/swarm.ts';
import { forEachOf, newContender } from '../pings/contenders.ts';
import { runLoad } from '../pings/load.ts';
import { socketIoPing } from '../pings/wire.ts';
import type { Answer, CourierClient, Order, ReaderClient, Work } from './orders.ts';
import { openReader, type Reader } from './reader.ts';

const AT_ONCE = 50;
const CHURN_EVERY_MS = 1000;
const MINUTE_MS = 60_000;

let couriers: readonly CourierClient[] = [];
const readers: Reader[] = [];
const contender = newContender('fleet', process.pid, socketIoPing('/courier,'), (index) => {
  const courier = couriers[index];
  if (courier === undefined) throw new Error(`there is no courier ${index}`);
  return courier.home;
});

async function connect(all: readonly CourierClient[], reading: readonly ReaderClient[]): Promise<void> {
  couriers = all;
  await forEachOf(all.length, AT_ONCE, async (index) => {
    contender.couriers[index] = await openCourier(index);
  });
  await forEachOf(reading.length, AT_ONCE, async (index) => {
    readers[index] = await openReader(reading[index]!, (sentAt) => contender.ears?.onFrame(sentAt));
  });
}

function openCourier(index: number): Promise<FrameClient> {
  const { port, token } = couriers[index]!;
  return openSocketIo({
    port,
    namespace: '/courier',
    auth: { token },
    onEvent: () => {},
    onAck: (id, json) => contender.ears?.onAck(id, json),
  });
}

async function work({ pingsPerS, seconds, churn }: Work): Promise<Answer['worked']> {
  const end = new AbortController();
  const churning = keepChurning(churn, end.signal);
  const result = await runLoad(contender, pingsPerS, seconds);
  end.abort();
  return { ...result, reconnects: await churning };
}

/** Closes and opens connections in turn, until the signal. Returns how many. */
async function keepChurning(percent: number, signal: AbortSignal): Promise<number> {
  const all = couriers.length + readers.length;
  const startedAt = performance.now();
  let done = 0;
  while (percent > 0 && !signal.aborted) {
    await pause(CHURN_EVERY_MS);
    const due = ((percent / 100) * all * (performance.now() - startedAt)) / MINUTE_MS;
    for (; done < Math.floor(due) && !signal.aborted; done += 1) await reconnect(done % all);
  }
  return done;
}

/** The connection of this number: those of the couriers come first. */
async function reconnect(number: number): Promise<void> {
  const reader = readers[number - couriers.length];
  if (reader !== undefined) return reader.reconnect();
  contender.couriers[number]?.close();
  contender.couriers[number] = await openCourier(number);
}

async function carryOut(order: Order): Promise<Answer> {
  if ('connect' in order) await connect(order.connect.couriers, order.connect.readers);
  if ('work' in order) return { worked: (await work(order.work))! };
  if ('tell' in order) return { seen: readers.map((reader) => reader.seen()) };
  if ('leave' in order) for (const client of [...contender.couriers, ...readers]) client.close();
  return {};
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ problem: String(error) } satisfies Answer),
  );
});
process.on('disconnect', () => process.exit());
