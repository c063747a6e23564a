import type { Clock, Log, Stop } from '../../ports/process.ts';
import { FORGET_MS, type PositionMemory } from './position-memory.ts';
import type { Slot } from './position-slot.ts';
import type { Shared } from './position-store.ts';
import { loadScript } from '../../engines/redis/script.ts';

type Needs = {
  readonly shared: Shared;
  readonly memory: PositionMemory;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
};

const SWEEP_EVERY_MS = 60_000;
const MOST_SWEPT = 500;

const sweep = loadScript('sweep-region');
const forgetRegions = loadScript('forget-regions');

/** Forgets couriers not heard of for long, here and in Redis, again and again until stopped. */
export function startSweeping({ shared, memory, clock, log }: Needs): Stop {
  const run = async (): Promise<void> => {
    const before = clock.real.elapsed() - FORGET_MS;
    memory.forget(before);
    const all = [...memory.all()];
    const regions = new Set(all.map(({ region }) => region));
    regions.delete('');
    try {
      await recordAgain(shared, all);
      await sweepRegions(shared, before, [...regions]);
    } catch (error) {
      // The next sweep, here or in another process, takes what is left.
      log.warn({ error: String(error) }, 'old positions were not swept');
    }
  };
  return clock.real.every(SWEEP_EVERY_MS, () => void run());
}

/**
 * Records where this process's couriers are. What Redis holds of a region it may lose only together, which is noticed at
 * the next write; but the node of a cluster that says where each courier is may fail over alone.
 */
async function recordAgain({ redis, keys }: Shared, slots: readonly Slot[]): Promise<void> {
  const entries = slots.flatMap(({ isOwn, storedRegion, position }) =>
    isOwn && storedRegion !== null ? [[position.courierId, storedRegion] as const] : [],
  );
  for (let from = 0; from < entries.length; from += MOST_SWEPT) {
    await redis.commands.hset(keys.whereabouts, ...entries.slice(from, from + MOST_SWEPT).flat());
  }
}

/**
 * Removes couriers not heard of since `before` (by the monotonic clock of this process, ms) from all regions. Geo members
 * know no expiry, so without it they would stay for ever. May run in every process.
 * @param own regions this process writes, kept in the list of regions
 */
async function sweepRegions({ redis, time, keys }: Shared, before: number, own: readonly string[]): Promise<void> {
  if (own.length > 0) await redis.commands.sadd(keys.regions, ...own);
  for (const region of await redis.commands.smembers(keys.regions)) {
    const regionKeys = [keys.geo(region), keys.positions(region), keys.seen(region), keys.cells(region)];
    for (let swept = MOST_SWEPT; swept === MOST_SWEPT;) {
      const ids = (await sweep(redis.commands, regionKeys, [time.toRedis(before), MOST_SWEPT])) as string[];
      if (ids.length > 0) await forgetRegions(redis.commands, [keys.whereabouts], [region, ...ids]);
      swept = ids.length;
    }
    const isEmpty = (await redis.commands.zcard(keys.seen(region))) === 0;
    if (isEmpty && !own.includes(region)) await redis.commands.srem(keys.regions, region);
  }
}
