// Makes the planned faults, one after the other, while the day is played.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CLOCK_STEP_FILE } from '../servers/clock-step.ts';
import type { MongoSet } from '../engines/mongo-set.ts';
import type { Random } from '../random.ts';
import { isTimeFor, type Outage, type Scene, type Trouble } from '../servers/trouble.ts';
import type { Planned } from '../plan-faults.ts';
import type { Fault } from './plan.ts';
import type { FailingRedis } from './redis.ts';
import type { Writes } from './writes.ts';

/** A fault that was made, in machine time. */
export type Made = {
  readonly fault: Fault;
  readonly what: string;
  /** From the first order to the fault, and from there until all of it had healed. */
  readonly atS: number;
  readonly healedS: number;
  /** The longest time without a confirmed write to MongoDB. */
  readonly withoutWritesMs: number;
};

export type FaultsOptions = {
  readonly mongo: MongoSet;
  readonly redis: FailingRedis;
  readonly writes: Writes;
  readonly plan: readonly Planned<Fault>[];
  readonly random: Random;
  readonly say: (line: string) => void;
};

/** How long a killed member of the replica set stays away; machine time. */
const MEMBER_DOWN_MS = 3000;
const HOUR_MS = 3_600_000;

/** Makes the planned faults, each after the last one has healed, and records them in `made`. */
export function faultsOf(options: FaultsOptions, made: Made[]): Trouble {
  return async (scene) => {
    const { time, lastAt } = scene;
    const firstAt = time.now();
    const startedAt = performance.now();
    const strike = faultsBy(options, scene);
    const outages: Outage[] = [];
    for (const { fault, share } of options.plan) {
      if (!(await isTimeFor(scene, firstAt + (lastAt - firstAt) * share))) break;
      const from = performance.now();
      const { what, withoutWritesMs } = await options.writes.through(strike[fault]);
      const to = performance.now();
      outages.push({ from, to });
      made.push({ fault, what, atS: seconds(from - startedAt), healedS: seconds(to - from), withoutWritesMs });
      options.say(`fault: ${what}, healed after ${seconds(to - from)} s`);
    }
    return outages;
  };
}

/** How each fault is made. Resolves when it has healed, with a description. */
function faultsBy({ mongo, redis, random }: FaultsOptions, { fleet }: Scene): Record<Fault, () => Promise<string>> {
  const anyServer = (): number => Math.floor(random.between(0, fleet.dirs.length));
  const stepOf = alternately(-HOUR_MS, HOUR_MS);
  const isOrderly = alternately(true, false);
  const stepsMs = fleet.dirs.map(() => 0);
  return {
    'step-downs': async () => `member ${await mongo.stepDown()} of MongoDB is the primary after a step-down`,
    'primary-kills': async () => {
      const killed = await mongo.waitForPrimary();
      await mongo.kill(killed);
      const next = await mongo.waitForPrimary();
      await pause(MEMBER_DOWN_MS);
      await mongo.start(killed);
      return `member ${killed} of MongoDB was killed and member ${next} is the primary`;
    },
    'redis-failovers': async () => {
      if (isOrderly()) {
        await redis.failOver();
        return 'a replica of Redis took over';
      }
      await redis.killPrimary();
      return 'a primary of Redis was killed and its replica took over';
    },
    'server-kills': async () => {
      const index = anyServer();
      await fleet.kill(index);
      return `server ${index + 1} was killed`;
    },
    'clock-steps': async () => {
      const index = anyServer();
      const ms = stepOf();
      stepsMs[index] = (stepsMs[index] ?? 0) + ms;
      writeFileSync(join(fleet.dirs[index] ?? '', CLOCK_STEP_FILE), String(stepsMs[index]));
      fleet.signal(index, 'SIGUSR2');
      return `the clock of server ${index + 1} stepped ${ms < 0 ? 'back' : 'forward'} by an hour`;
    },
  };
}

function alternately<T>(first: T, second: T): () => T {
  let turns = 0;
  return () => {
    turns += 1;
    return turns % 2 === 1 ? first : second;
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
