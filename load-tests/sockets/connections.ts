// Many connections that send nothing: the CPU time of their handshakes and the memory that they take.
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameClient } from '../clients/swarm.ts';
import { forEachOf } from '../pings/contenders.ts';
import { cpuNs } from '../pings/pinned.ts';
import { leastKib } from '../servers/least-memory.ts';

/** The costs of a connection: its handshake, and its memory while it sends nothing. */
export type Opening = { readonly handshakeUs: number; readonly kib: number };

const AT_ONCE = 50;
/** Whatever a server does for new connections has ended after this time, ms. */
const SETTLE_MS = 1500;

/** A process with the environment for `leastKib`. `bareKib` is its memory before the first of these connections. */
export type Opened = { readonly pid: number; readonly bareKib: number };

/** Opens connections, measures them and closes them. */
export async function measureOpening(
  { pid, bareKib }: Opened,
  count: number,
  open: (index: number) => Promise<FrameClient>,
): Promise<Opening> {
  const clients: FrameClient[] = [];
  const before = cpuNs(pid);
  await forEachOf(count, AT_ONCE, async (index) => void clients.push(await open(index)));
  await pause(SETTLE_MS);
  const handshakeUs = (cpuNs(pid) - before) / 1000 / count;
  // A process keeps some of the memory of closed connections, so a difference from before these ones would be too small.
  const kib = ((await leastKib(pid)) - bareKib) / count;
  for (const client of clients) client.close();
  await pause(SETTLE_MS);
  return { handshakeUs, kib };
}
