// Readers who stop to read for a while, as phones without a signal do.
import { setTimeout as pause } from 'node:timers/promises';
import { openSocketIo, type FrameClient } from '../clients/swarm.ts';
import { forEachOf } from '../pings/contenders.ts';
import { runLoad } from '../pings/load.ts';
import { timeIn } from '../pings/wire.ts';
import { leastKib, leastKibAtWork } from '../servers/least-memory.ts';
import type { Member } from '../stored/crew.ts';
import { AT_ONCE, PINGS_A_SECOND, type Rooms, type Target } from './rooms.ts';

/** The costs of a reader who has stopped to read: memory of the server, and old frames that the reader gets afterwards. */
export type Stall = { readonly kib: number; readonly oldFrames: number };

/** A frame with an older position is old, ms. */
const OLD_MS = 2000;
/** The memory is read so long after the start, ms. From 7 s on the server closes the connections, one after the other. */
const FILLED_MS = 3000;
/** The couriers move on for this long after the stall, so that the newest frame is not old. Seconds. */
const AFTER_S = 4;

/** Opens more readers of these rooms. They stop to read for so long, at least 7 s, while their couriers move on. */
export async function measureStall(
  { pid, port }: Target,
  { size, read }: Rooms,
  { crew, seconds }: { readonly crew: readonly Member[]; readonly seconds: number },
): Promise<Stall> {
  const readers: FrameClient[] = [];
  let isOver = false;
  let oldFrames = 0;
  const hear = (json: string): void => {
    if (isOver && json.startsWith('["positions"') && Date.now() - timeIn(json) > OLD_MS) oldFrames += 1;
  };
  await forEachOf(size.rooms * size.readers, AT_ONCE, async (index) => {
    const token = crew[index % size.rooms]?.load?.trackingToken;
    const reader = { port, namespace: '/track', auth: { token }, onEvent: hear, onAck: () => {} };
    readers.push(await openSocketIo(reader));
  });
  const before = await leastKib(pid);
  for (const reader of readers) reader.pause();
  const startedAt = performance.now();
  const measure = async (): Promise<number> => {
    await pause(FILLED_MS);
    const kib = await leastKibAtWork(pid);
    await pause(Math.max(0, seconds * 1000 - (performance.now() - startedAt)));
    isOver = true;
    for (const reader of readers) reader.resume();
    return kib;
  };
  const [filled] = await Promise.all([measure(), runLoad(read, size.rooms * PINGS_A_SECOND, seconds + AFTER_S)]);
  for (const reader of readers) reader.close();
  return { kib: (filled - before) / readers.length, oldFrames: oldFrames / readers.length };
}
