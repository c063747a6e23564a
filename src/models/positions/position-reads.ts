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
  const { redis, keys, memory, now } = known;
  try {
    const [region] = await readRegions(redis, keys, [id]);
    if (region === null || region === undefined) return memory.get(id)?.position ?? null;
    const [row, seen] = await Promise.all([
      redis.commands.hget(keys.positions(region), id),
      redis.commands.zscore(keys.seen(region), id),
    ]);
    if (row !== null) {
      const slot = memory.take(decodePosition(id, row), momentOf(known, seen), now);
      if (slot !== null) slot.storedRegion = region;
    }
  } catch {
    // Redis is away: the position in memory is the best one known.
  }
  return memory.get(id)?.position ?? null;
}

/** Finds which of the couriers have a position in Redis, and stores it in memory. Returns none while Redis is away. */
export async function findSeen(known: Known, ids: readonly CourierId[]): Promise<CourierId[]> {
  try {
    const regions = await readRegions(known.redis, known.keys, ids);
    const seen = ids.filter((_, i) => typeof regions[i] === 'string');
    const positions = await Promise.all(seen.map((id) => readPosition(known, id)));
    return positions.flatMap((position) => (position === null ? [] : [position.courierId]));
  } catch {
    // Redis is away: these couriers are looked up after their next message.
    return [];
  }
}

/** Rows in one read. Other work gets this thread in between. */
const MOST_MET = 500;

/**
 * Loads from Redis the couriers of a region who were heard since then, but not by this process. It reads page by page,
 * so that connections do not wait for it.
 * @throws Error while Redis is away
 */
export async function meetRegion(known: Known, region: string, since: number): Promise<void> {
  const { redis, keys, memory, now, isNewest } = known;
  for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
    const [next, flat] = await redis.commands.zscan(keys.seen(region), cursor, 'COUNT', MOST_MET);
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
    const places = ids.map((id, i) => ({ id, region: regions[i] ?? null })).filter(({ region }) => region !== null);
    const groups = Map.groupBy(places, ({ region }) => region ?? '');
    const read = [...groups].map(async ([region, group]) => {
      const scores = await redis.commands.zmscore(keys.seen(region), ...group.map(({ id }) => id));
      group.forEach(({ id }, i) => {
        const score = scores[i];
        if (score !== null && score !== undefined) seen.set(id, time.toElapsed(Number(score)));
      });
    });
    await Promise.all(read);
    return seen;
  } catch {
    // Redis is away: the caller uses what this process heard itself.
    return null;
  }
}
