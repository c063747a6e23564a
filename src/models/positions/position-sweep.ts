import type { Clock, Log, Stop } from '../../ports/process.ts';
import { FORGET_MS, type PositionMemory } from './position-memory.ts';
import type { Slot } from './position-slot.ts';
import type { Shared } from './position-store.ts';
import { loadScript } from '../../engines/redis/script.ts';

type Needs = {
  readonly shared: Shared;
  readonly memory: PositionMemory;
  /** Machine time in ms for which a courier counts as present after their last message. */
  readonly leaseMs: number;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
};

const SWEEP_EVERY_MS = 60_000;
const MOST_SWEPT = 500;
/** No message is later than this much, by the samples that processes take of the clock of Redis. */
const FUTURE_MS = 30_000;

const sweep = loadScript('sweep-region');
const hideAbsent = loadScript('hide-absent');
const clampSeen = loadScript('clamp-seen');
const forgetRegions = loadScript('forget-regions');

/** Moments of this process's monotonic clock, ms: couriers who were last heard before them are forgotten, or absent. */
type Limits = { readonly forgetBefore: number; readonly presentSince: number; readonly now: () => number };

/**
 * Regularly forgets couriers who have been silent for long, here and in Redis. Absent couriers leave the geo sets before
 * that, so that they do not hide present ones from a search.
 */
export function startSweeping({ shared, memory, leaseMs, clock, log }: Needs): Stop {
  const run = async (): Promise<void> => {
    const now = clock.real.elapsed();
    const limits = { forgetBefore: now - FORGET_MS, presentSince: now - leaseMs, now: () => clock.real.elapsed() };
    memory.forget(limits.forgetBefore);
    const all = [...memory.all()];
    const regions = new Set(all.map(({ region }) => region));
    regions.delete('');
    try {
      await recordAgain(shared, all);
      await sweepRegions(shared, limits, [...regions]);
      await sweepHeard(shared, limits);
    } catch (error) {
      // The next sweep, here or in another process, removes the rest.
      log.warn({ error }, 'old positions were not swept');
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
 * Sweeps all regions. Geo members have no expiry, so without this they would stay for ever. Every process may run it.
 * @param own regions that this process writes; they stay in the list of regions
 */
async function sweepRegions(shared: Shared, limits: Limits, own: readonly string[]): Promise<void> {
  const { redis, keys } = shared;
  if (own.length > 0) await redis.commands.sadd(keys.regions, ...own);
  for (const region of await redis.commands.smembers(keys.regions)) {
    // Earlier releases wrote a hash of view cells, which nobody reads.
    await redis.commands.unlink(`${redis.prefix}{r:${region}}:cell`);
    await sweepRegion(shared, limits, region);
    const isEmpty = (await redis.commands.zcard(keys.seen(region))) === 0;
    if (isEmpty && !own.includes(region)) await redis.commands.srem(keys.regions, region);
  }
}

/**
 * Forgets couriers of a region who have been silent for long, and takes the absent ones out of its geo set. It goes through
 * all absent couriers, not only through those who fell silent since the last sweep: that one may have been missed, and a
 * late write may have entered somebody again. The absent are soon forgotten, so they are few.
 */
async function sweepRegion({ redis, time, keys }: Shared, limits: Limits, region: string): Promise<void> {
  const [geo, positions, seen] = [keys.geo(region), keys.positions(region), keys.seen(region)];
  // Read again, since a sweep of many regions takes long, and nobody who was heard meanwhile is of the future.
  const now = limits.now();
  await clamp({ redis, time }, seen, now);
  const forgetBefore = time.toRedis(limits.forgetBefore);
  for (let swept = MOST_SWEPT; swept === MOST_SWEPT;) {
    const ids = (await sweep(redis.commands, [geo, positions, seen], [forgetBefore, MOST_SWEPT])) as string[];
    if (ids.length > 0) await forgetRegions(redis.commands, [keys.whereabouts], [region, ...ids]);
    swept = ids.length;
  }
  const page = [time.toRedis(limits.presentSince), MOST_SWEPT];
  let left = await hideAbsent(redis.commands, [geo, seen], page);
  while (left !== 0) left = await hideAbsent(redis.commands, [geo, seen], [...page, Number(left)]);
}

/** Forgets couriers without a known place who have been silent for long. */
async function sweepHeard({ redis, time, keys }: Shared, limits: Limits): Promise<void> {
  await clamp({ redis, time }, keys.heard, limits.now());
  await redis.commands.zremrangebyscore(keys.heard, '-inf', `(${time.toRedis(limits.forgetBefore)}`);
}

/** Nobody of this set was heard in the future. If the clock of Redis has stepped back, they were heard now. */
async function clamp({ redis, time }: Pick<Shared, 'redis' | 'time'>, set: string, now: number): Promise<void> {
  const present = [time.toRedis(now), time.toRedis(now + FUTURE_MS), MOST_SWEPT];
  while ((await clampSeen(redis.commands, [set], present)) === MOST_SWEPT);
}
