// The servers that are compared, each with its couriers and their readers connected.
import { join } from 'node:path';
import { openFrames, openSocketIo, type FrameClient } from '../clients/swarm.ts';
import type { Contender } from './load.ts';
import { portOf, rssKib, startPinned, type Pinned } from './pinned.ts';
import { ALONE, RAW } from './summary.ts';
import { rawPing, socketIoPing, timeIn } from './wire.ts';

/** A server with its clients. `bareKib` is its resident memory before they came. */
export type Running = { readonly contender: Contender; readonly process: Pinned; readonly bareKib: number };

const AT_ONCE = 50;
/** In the middle of a dispatch region. A tick writes per region, so the grid must not cross a border. */
const HOME = { lat: 52.52, lng: 13.27 };

/** A contender without clients yet. */
export function newContender(
  name: string,
  pid: number,
  pingOf: Contender['pingOf'],
  homeOf: Contender['homeOf'],
): Contender & { couriers: FrameClient[] } {
  return { name, pid, pingOf, homeOf, couriers: [], ears: null, sent: 0, moves: [] };
}

/** Homes on a grid, so that couriers do not stand at the same point. */
export function gridHome(index: number): { lat: number; lng: number } {
  return { lat: HOME.lat + (index % 32) * 0.001, lng: HOME.lng + Math.floor(index / 32) * 0.001 };
}

/** Does a step for each number, several at a time. */
export async function forEachOf(count: number, atOnce: number, step: (index: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const index of numbers) await step(index);
    }),
  );
}

/** The raw relay. */
export async function startRaw(couriers: number, isPinned: boolean): Promise<Running> {
  const process = startPinned(join(import.meta.dirname, 'raw-relay.ts'), {}, isPinned);
  const port = await portOf(process);
  const contender = newContender(RAW, process.pid, rawPing, gridHome);
  const bareKib = rssKib(process.pid);
  await forEachOf(couriers, AT_ONCE, async (index) => {
    await openFrames(port, `/reader/${index}`, (text) => contender.ears?.onFrame(timeIn(text)));
    contender.couriers[index] = await openFrames(port, `/courier/${index}`, (text) => {
      contender.ears?.onAck(Number(text.slice(1, 7)), text);
    });
  });
  return { contender, process, bareKib };
}

/** The obvious Socket.IO handler. */
export function startObvious(couriers: number, redisUrl: string, isPinned: boolean): Promise<Running> {
  return startSocketIo('obvious handler', 'obvious-handler.ts', { REDIS_URL: redisUrl }, { couriers, isPinned });
}

/** Stock Socket.IO that acknowledges and sends one frame, and does nothing else. */
export function startAlone(couriers: number, isPinned: boolean): Promise<Running> {
  return startSocketIo(ALONE, 'socketio-alone.ts', {}, { couriers, isPinned });
}

async function startSocketIo(
  name: string,
  file: string,
  env: Readonly<Record<string, string>>,
  { couriers, isPinned }: { readonly couriers: number; readonly isPinned: boolean },
): Promise<Running> {
  const process = startPinned(join(import.meta.dirname, file), env, isPinned);
  const port = await portOf(process);
  const contender = newContender(name, process.pid, socketIoPing(''), gridHome);
  const bareKib = rssKib(process.pid);
  const common = { port, namespace: '/' };
  await forEachOf(couriers, AT_ONCE, async (number) => {
    await openSocketIo({
      ...common,
      auth: { role: 'reader', number },
      onEvent: (json) => contender.ears?.onFrame(timeIn(json)),
      onAck: () => {},
    });
    contender.couriers[number] = await openSocketIo({
      ...common,
      auth: { role: 'courier', number },
      onEvent: () => {},
      onAck: (id, json) => contender.ears?.onAck(id, json),
    });
  });
  return { contender, process, bareKib };
}
