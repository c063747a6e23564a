import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { PositionMemory } from './position-memory.ts';
import type { Slot } from './position-slot.ts';
import { readRegions, type Shared } from './position-store.ts';
import { decodePosition } from './position-wire.ts';

export type Known = Omit<Shared, 'origin'> & {
  readonly memory: PositionMemory;
  /** The time of this process's monotonic clock, ms. */
  readonly now: number;
  /** Says whether memory certainly has the courier's newest position. */
  readonly isNewest: (slot: Slot) => boolean;
};

/** A courier's newest position from Redis, or from memory while Redis is away. */
export async function readPosition(known: Known, id: CourierId): Promise<Position | null> {
  // While Redis is away, the position in memory is the best one known.
  await learnPositions(known, [id]).catch(() => undefined);
  return known.memory.get(id)?.position ?? null;
}

/** Couriers who are looked up at once, and rows in one read. Other work gets this thread in between. */
const PAGE = 500;

/**
 * Looks up couriers who were heard here, but whose newest place only Redis may have. If Redis has no place, the one in
 * memory counts. If there is none either, Redis records only that the courier was heard.
 * @returns the couriers whose newest place is in memory now
 * @throws Error while Redis is away
 */
export async function placeHeard(known: Known, ids: readonly CourierId[]): Promise<CourierId[]> {
  const { redis, time, keys, memory, now } = known;
  const placed: CourierId[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    await learnPositions(known, page);
    const placeless = page.filter((id) => memory.get(id) === undefined);
    const heardAt = time.toRedis(now);
    if (placeless.length > 0) await redis.commands.zadd(keys.heard, ...placeless.flatMap((id) => [heardAt, id]));
    placed.push(...page.filter((id) => memory.get(id) !== undefined));
  }
  return placed;
}

/**
 * Stores in memory where Redis has these couriers.
 * @throws Error while Redis is away
 */
async function learnPositions(known: Known, ids: readonly CourierId[]): Promise<void> {
  const { redis, keys, memory, now } = known;
  const regions = await readRegions(redis, keys, ids);
  const learn = async (id: CourierId, region: string | null): Promise<void> => {
    if (region === null) return;
    const [row, seen] = await Promise.all([
      redis.commands.hget(keys.positions(region), id),
      redis.commands.zscore(keys.seen(region), id),
    ]);
    if (row === null) return;
    const slot = memory.take(decodePosition(id, row), momentOf(known, seen), now);
    if (slot !== null) slot.storedRegion = region;
  };
  await Promise.all(ids.map((id, i) => learn(id, regions[i] ?? null)));
}

/**
 * Loads from Redis the couriers of a region who were heard since then, but not by this process. It reads page by page,
 * so that connections do not wait for it.
 * @throws Error while Redis is away
 */
export async function meetRegion(known: Known, region: string, since: number): Promise<void> {
  const { redis, keys, memory, now, isNewest } = known;
  for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
    const [next, flat] = await redis.commands.zscan(keys.seen(region), cursor, 'COUNT', PAGE);
    cursor = next;
    const unknown = new Map<CourierId, number>();
    for (let at = 0; at < flat.length; at += 2) {
      const [id, seenAt] = [flat[at] as CourierId, momentOf(known, flat[at + 1])];
      if (seenAt <= since) continue;
      const slot = memory.get(id);
      if (slot === undefined || !isNewest(slot)) unknown.set(id, seenAt);
      else if (seenAt > slot.heardAt) slot.heardAt = seenAt;
    }
    if (unknown.size === 0) continue;
    const rows = await redis.commands.hmget(keys.positions(region), ...unknown.keys());
    for (const [index, [id, seenAt]] of [...unknown].entries()) {
      const row = rows[index];
      if (typeof row !== 'string') continue;
      const slot = memory.take(decodePosition(id, row), seenAt, now);
      if (slot !== null) slot.storedRegion = region;
    }
  }
}

/** When a courier was seen, by the monotonic clock: now at the latest, also if the clock of Redis has stepped back since. */
function momentOf({ time, now }: Known, seen: string | null | undefined): number {
  return Math.min(now, time.toElapsed(Number(seen)));
}

const NONE_READ: ReadonlyMap<CourierId, number> = new Map();

/**
 * How long each courier has been silent, in ms of machine time. There is no entry for a courier whom all processes have
 * forgotten. While Redis is away, couriers unknown to this process do not count as silent. Redis is read only for couriers
 * whom this process has not heard of for `exactFromMs`.
 * @param backAt when Redis last came back, or null. During an outage other processes could not pass on what they heard.
 *   A courier therefore counts as silent since its end at the earliest.
 */
export async function silence(
  known: Known,
  ids: readonly CourierId[],
  { backAt, exactFromMs }: { readonly backAt: number | null; readonly exactFromMs: number },
): Promise<ReadonlyMap<CourierId, number>> {
  const { memory, now } = known;
  const most = backAt === null ? Infinity : now - backAt;
  const quiet = ids.filter((id) => now - (memory.get(id)?.heardAt ?? -Infinity) >= exactFromMs);
  const heard = quiet.length === 0 ? NONE_READ : await readSeen(known, quiet);
  const silent = new Map<CourierId, number>();
  for (const id of ids) {
    const here = memory.get(id)?.heardAt ?? -Infinity;
    const there = heard === null && here === -Infinity ? now : (heard?.get(id) ?? -Infinity);
    const ms = Math.min(most, now - Math.max(here, there));
    if (ms !== Infinity) silent.set(id, Math.max(0, ms));
  }
  return silent;
}

/** When Redis last saw each courier; null while Redis is away. */
async function readSeen(
  { redis, time, keys }: Known,
  ids: readonly CourierId[],
): Promise<ReadonlyMap<CourierId, number> | null> {
  try {
    const regions = await readRegions(redis, keys, ids);
    const seen = new Map<CourierId, number>();
    const read = async (key: string, some: readonly CourierId[]): Promise<void> => {
      const scores = await redis.commands.zmscore(key, ...some);
      some.forEach((id, i) => {
        const score = scores[i] ?? null;
        if (score !== null) seen.set(id, Math.max(seen.get(id) ?? -Infinity, time.toElapsed(Number(score))));
      });
    };
    const groups = Map.groupBy(ids, (_, i) => regions[i] ?? null);
    const inRegions = [...groups].map(([region, some]) => (region === null ? null : read(keys.seen(region), some)));
    await Promise.all([...inRegions, read(keys.heard, ids)]);
    return seen;
  } catch {
    // Redis is away: the caller uses what this process heard itself.
    return null;
  }
}
