// The Valhalla of a server, from outside: its address, and its ends.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { holderOf, type Companion } from '../../src/embedded/processes/lock.ts';
import { isRunning } from '../../src/embedded/processes/processes.ts';
import { readAddress } from '../../src/embedded/streets/address.ts';

/** The waits between restarts reach 16 s after five kills. The first start builds the tiles, and may fetch Valhalla. */
const BACK_MS = 60_000;
const FIRST_MS = 300_000;
const LOOK_MS = 50;
/** The moment of a kill in its part of the run. The last one leaves time for the return. */
const MOMENT = 0.25;

/** Waits for the first Valhalla of a data directory. Returns its address. @throws Error if none answers in five minutes */
export async function firstValhalla(dataDir: string): Promise<string> {
  return (await whenOther(dataDir, null, FIRST_MS)).url;
}

/**
 * Kills the Valhalla so many times, spread over the run. After each kill it waits until another one answers.
 * @returns how long each of them was away, s, and when it was back, performance.now()
 * @throws Error if none answers within a minute
 */
export async function killValhalla(
  dataDir: string,
  { kills, seconds }: { readonly kills: number; readonly seconds: number },
): Promise<{ readonly awayS: number; readonly backAt: number }[]> {
  const startedAt = performance.now();
  const outages: { awayS: number; backAt: number }[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const at = startedAt + (seconds * 1000 * (kill + MOMENT)) / kills;
    await pause(Math.max(0, at - performance.now()));
    const { process: running } = await whenOther(dataDir, null, BACK_MS);
    const killedAt = performance.now();
    process.kill(running.pid, 'SIGKILL');
    await whenOther(dataDir, running, BACK_MS);
    const backAt = performance.now();
    outages.push({ awayS: (backAt - killedAt) / 1000, backAt });
  }
  return outages;
}

/** Waits until a Valhalla other than this one answers. */
async function whenOther(
  dataDir: string,
  old: Companion | null,
  patienceMs: number,
): Promise<{ readonly url: string; readonly process: Companion }> {
  const home = join(dataDir, 'streets');
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const running = holderOf(home)?.companions.find((part) => part.name === 'valhalla' && isRunning(part));
    // The address is written when the Valhalla answers, and removed before the next one starts.
    const url = readAddress(home);
    if (running !== undefined && running.pid !== old?.pid && url !== null) return { url, process: running };
    await pause(LOOK_MS);
  }
  throw new Error(`no Valhalla answered within ${patienceMs / 1000} s; see ${join(home, 'valhalla.log')}`);
}
