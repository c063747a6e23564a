import { geohashOf } from '../../domain/geo/geohash.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';
import type { RedisTime } from '../../engines/redis/redis-time.ts';
import type { Slot } from './position-slot.ts';
import { encodeBatch, encodePosition } from './position-wire.ts';

/** How many commands a write took, and how many couriers Redis did not know in this region. */
export type Written = { readonly write: number; readonly publish: number; readonly added: number };

export type Keys = {
  geo(region: string): string;
  positions(region: string): string;
  seen(region: string): string;
  /** Maps couriers to regions, to find a courier unknown to this process. */
  readonly whereabouts: string;
  /** When couriers without a known place were last heard. */
  readonly heard: string;
  readonly regions: string;
  /** The start of each channel's name. The region follows it. */
  readonly channel: string;
};

/** The keys of one region share a hash tag, so that one pipeline or script reaches all of them on a cluster. */
export function positionKeys(prefix: string): Keys {
  return {
    geo: (region) => `${prefix}{r:${region}}:geo`,
    positions: (region) => `${prefix}{r:${region}}:pos`,
    seen: (region) => `${prefix}{r:${region}}:seen`,
    whereabouts: `${prefix}whereabouts`,
    heard: `${prefix}heard`,
    regions: `${prefix}regions`,
    channel: `${prefix}positions:`,
  };
}

/** The means to share positions. `origin` begins every message of a process, so that the process knows its own. */
export type Shared = {
  readonly redis: RedisConnections;
  readonly time: RedisTime;
  readonly keys: Keys;
  readonly origin: string;
};

/**
 * Writes the waiting slots of one region in one pipeline: at most three commands with many members, and one publish. The
 * geo index gets its scores by `ZADD`, because `GEOADD` takes half as long again for the same.
 * @param renewEveryMs machine time after which Redis must learn again that a courier who sends positions was heard
 * @throws Error if Redis did not accept all of it
 */
export async function writeRegion(
  { redis, time, keys, origin }: Shared,
  region: string,
  slots: readonly Slot[],
  renewEveryMs: number,
): Promise<Written> {
  const geo: (string | number)[] = [keys.geo(region)];
  const positions: string[] = [keys.positions(region)];
  const seen: (string | number)[] = [keys.seen(region), 'GT'];
  const rows: string[] = [];
  const touched: CourierId[] = [];
  for (const slot of slots) {
    const id = slot.position.courierId;
    if (!slot.isMoved || slot.heardAt - slot.seenAt >= renewEveryMs) {
      seen.push(time.toRedis(slot.heardAt), id);
      slot.seenAt = slot.heardAt;
    }
    // Also without a new position: a sweep may have taken the courier out of the geo set.
    geo.push(geohashOf(slot.position), id);
    if (!slot.isMoved) {
      if (slot.isNews) touched.push(id);
      continue;
    }
    const row = encodePosition(slot.position);
    if (slot.isNews) rows.push(`"${id}",${row}`);
    positions.push(id, row);
  }
  const pipeline = redis.commands.pipeline();
  if (seen.length > 2) pipeline.call('zadd', ...seen);
  if (positions.length > 1) pipeline.call('hset', ...positions);
  // Last, because a sweep in between takes everybody out of the geo set who has not been seen.
  pipeline.call('zadd', ...geo);
  const write = pipeline.length;
  const isNews = rows.length + touched.length > 0;
  if (isNews) pipeline.publish(keys.channel + region, origin + encodeBatch(rows, touched));
  const replies = await pipeline.exec();
  const failed = replies?.find(([error]) => error !== null);
  if (failed !== undefined) throw failed[0];
  // A sweep takes couriers out of the geo set alone, so that one says nothing about what Redis has lost.
  const added = (replies ?? []).slice(0, write - 1).map(([, count]) => Number(count));
  return { write, publish: isNews ? 1 : 0, added: Math.max(0, ...added) };
}

/** Reads the regions of these couriers from Redis. This is rare: only if this process has not seen them lately. */
export async function readRegions(
  redis: RedisConnections,
  keys: Keys,
  ids: readonly CourierId[],
): Promise<(string | null)[]> {
  return ids.length === 0 ? [] : redis.commands.hmget(keys.whereabouts, ...ids);
}

export type Move = { readonly id: CourierId; readonly from: string | null; readonly to: string };

/**
 * Records the new regions of couriers and removes them from their old ones.
 * @returns the number of commands
 */
export async function recordMoves(redis: RedisConnections, keys: Keys, moves: readonly Move[]): Promise<number> {
  const entries = moves.flatMap(({ id, to }) => [id, to]);
  await redis.commands.hset(keys.whereabouts, ...entries);
  await redis.commands.sadd(keys.regions, ...new Set(moves.map(({ to }) => to)));
  const left = Map.groupBy(
    moves.filter(({ from, to }) => from !== null && from !== to),
    ({ from }) => from ?? '',
  );
  for (const [region, movers] of left) {
    const ids = movers.map(({ id }) => id);
    const replies = await redis.commands
      .pipeline()
      .zrem(keys.geo(region), ...ids)
      .hdel(keys.positions(region), ...ids)
      .zrem(keys.seen(region), ...ids)
      .exec();
    const failed = replies?.find(([error]) => error !== null);
    if (failed !== undefined) throw failed[0];
  }
  return 2 + left.size * 3;
}
