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

/** Regularly forgets couriers who have been silent for long, here and in Redis. */
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
      // The next sweep, here or in another process, removes the rest.
      log.warn({ error: String(error) }, 'old positions were not swept');
    }
  };
  return clock.real.every(SWEEP_EVERY_MS, () => void run());
}

/**
 * Records again in which regions this process's couriers are. Redis can lose the data of a region only as a whole, and
 * the next write notices that. But the cluster node that maps couriers to regions may fail over alone.
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
 * Removes couriers from all regions who were last heard before `before`, in ms of this process's monotonic clock. Geo
 * members have no expiry, so without this they would stay for ever. Every process may run it.
 * @param own regions that this process writes; they stay in the list of regions
 */
async function sweepRegions({ redis, time, keys }: Shared, before: number, own: readonly string[]): Promise<void> {
  if (own.length > 0) await redis.commands.sadd(keys.regions, ...own);
  for (const region of await redis.commands.smembers(keys.regions)) {
    // Earlier releases wrote a hash of view cells, which nobody reads.
    await redis.commands.unlink(`${redis.prefix}{r:${region}}:cell`);
    const regionKeys = [keys.geo(region), keys.positions(region), keys.seen(region)];
    for (let swept = MOST_SWEPT; swept === MOST_SWEPT;) {
      const ids = (await sweep(redis.commands, regionKeys, [time.toRedis(before), MOST_SWEPT])) as string[];
      if (ids.length > 0) await forgetRegions(redis.commands, [keys.whereabouts], [region, ...ids]);
      swept = ids.length;
    }
    const isEmpty = (await redis.commands.zcard(keys.seen(region))) === 0;
    if (isEmpty && !own.includes(region)) await redis.commands.srem(keys.regions, region);
  }
}
