// One run: a generated day on two servers, while the servers and their engines fail.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeDay } from '../day/day.ts';
import { startMongoSet } from '../engines/mongo-set.ts';
import { generateDay } from '../day/generate-day.ts';
import { planFaults } from '../plan-faults.ts';
import { createRandom } from '../random.ts';
import { parseOptions } from '../simulate/options.ts';
import { runDay } from '../simulate/run.ts';
import { faultsOf, type Made } from './faults.ts';
import type { EnginesOptions } from './options.ts';
import { openFailingRedis } from './redis.ts';
import { judgeRun, type EnginesReport } from './report.ts';
import { startWrites } from './writes.ts';

/** Orders begin at eleven, so that the peak of the day lies in the run. */
const FROM_MIN = 660;
/** The number of orders for each restaurant. */
const ORDERS_PER_RESTAURANT = 6;
const SKEWED_CLOCK = pathToFileURL(resolve(import.meta.dirname, '..', 'servers', 'skewed-clock.ts')).href;

/** Plays the run. Other problems are in the report. @throws if engines or servers do not start or do not come back */
export async function runEngines(options: EnginesOptions, say: (line: string) => void): Promise<EnginesReport> {
  const { seed, speed, servers } = options;
  const dir = await mkdtemp(join(tmpdir(), 'chaos-engines-'));
  let isGood = false;
  try {
    const day = join(dir, 'day');
    await writeDay(day, generateDay(requestOf(options)));
    const engines = await openEngines(options, dir, say);
    const made: Made[] = [];
    const plan = planFaults(options.faults, seed);
    const trouble = faultsOf({ ...engines, plan, random: createRandom(seed + 1), say }, made);
    const around = {
      engines: { mongoUrl: engines.mongo.url, redisUrl: engines.redis.url, stop: engines.stop },
      environment: { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${SKEWED_CLOCK}` },
      trouble,
    };
    const command = [day, '--speed', speed, '--servers', servers, '--seed', seed].map(String);
    const report = judgeRun(options, await runDay(parseOptions(command), around, say), made);
    isGood = report.problems.length === 0;
    return report;
  } finally {
    if (isGood) await rm(dir, { recursive: true, force: true });
    else say(`day and logs of the engines are kept in ${dir}`);
  }
}

function requestOf({ seed, orders, couriers, minutes }: EnginesOptions): Parameters<typeof generateDay>[0] {
  const restaurants = Math.max(5, Math.round(orders / ORDERS_PER_RESTAURANT));
  return { seed, orders, couriers, restaurants, fromMin: FROM_MIN, toMin: FROM_MIN + minutes };
}

async function openEngines({ redis: kind, seed }: EnginesOptions, dir: string, say: (line: string) => void) {
  const mongo = await startMongoSet({ dir, env: process.env, say });
  const started: { stop(): Promise<void> }[] = [mongo];
  const stop = async (): Promise<void> => {
    for (const one of started.toReversed()) await one.stop();
  };
  try {
    const redis = await openFailingRedis(kind, { dir, say, random: createRandom(seed + 2) });
    started.push(redis);
    const writes = await startWrites(mongo.url);
    started.push(writes);
    return { mongo, redis, writes, stop };
  } catch (error) {
    // One engine without the other is useless.
    await stop();
    throw error;
  }
}
