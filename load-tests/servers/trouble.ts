// Trouble for servers and engines while a day is played.
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../random.ts';
import type { Fleet } from './fleet.ts';
import type { ServiceTime } from '../clients/service-time.ts';

/** From when to when a server or an engine was down, performance.now(). `to` is null while it is down. */
export type Outage = { readonly from: number; readonly to: number | null };

/** The run as trouble sees it. */
export type Scene = {
  readonly fleet: Fleet;
  readonly time: ServiceTime;
  /** Service time of the last order. */
  readonly lastAt: number;
  /** Whether every order has ended, so that no more trouble is made. */
  readonly isOver: () => boolean;
};

/** Makes trouble. Resolves when all of it has healed, with the outages of everything but servers. */
export type Trouble = (scene: Scene) => Promise<readonly Outage[]>;

/** Kills are spread until this long after the last order. */
const KILLS_AFTER_MS = 20 * 60_000;
const LOOK_MS = 200;

/** How many kills are spread over how many servers, and the seed of their moments. */
export type KillOptions = { readonly kills: number; readonly servers: number; readonly seed: number };

/** Kills servers at spread times. */
export function killServers({ kills, servers, seed }: KillOptions): Trouble {
  return async (scene) => {
    const { fleet, time, lastAt } = scene;
    const random = createRandom(seed + 1);
    const firstAt = time.now();
    const spanMs = lastAt + KILLS_AFTER_MS - firstAt;
    const planned = Array.from({ length: kills }, (_, kill) => ({
      at: firstAt + (spanMs * (kill + random.between(0.3, 0.7))) / kills,
      index: Math.floor(random.between(0, servers)),
    }));
    const carryOut = async ({ at, index }: (typeof planned)[number]): Promise<void> => {
      if (await isTimeFor(scene, at)) await fleet.kill(index);
    };
    await Promise.all(planned.map(carryOut));
    return [];
  };
}

/** Waits for a moment of service time. False if the run is over before. */
export async function isTimeFor({ time, isOver }: Scene, at: number): Promise<boolean> {
  while (!isOver() && time.now() < at) await pause(Math.min(LOOK_MS, time.toRealMs(at - time.now())));
  return !isOver();
}
