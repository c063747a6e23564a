import type { CourierId } from '../../domain/ids.ts';
import { EARTH_RADIUS_M, regionsWithin, type Coordinates } from '../../domain/geo/geo.ts';
import { loadScript } from '../../engines/redis/script.ts';
import type { Near, NearSearch } from '../../ports/dispatch/positions.ts';
import type { Known } from './position-reads.ts';

const nearestIn = loadScript('nearest-couriers');

/**
 * The radius of the first searches, metres. In a crowd a small circle is read much faster. If the first one has fewer
 * couriers than `FEW`, the largest circle is cheap too, and comes next.
 */
const [FIRST_M, SECOND_M] = [1000, 2000];
const FEW = 16;
/**
 * Couriers that a search reads in each region. If too few of them are wanted, it reads four times as many, up to the most.
 * So a caller who wants what nobody has costs few searches in a crowd.
 */
const FIRST_COUNT = 32;
const MORE = 4;
const MOST_COUNT = 512;
/** Redis refuses a search around a place much nearer to a pole, and the geo index has no places there, degrees. */
const MOST_GEO_LAT = 85;
/** The earth's radius by which Redis measures. */
const REDIS_RADIUS_M = 6_372_797.560856;

type Places = Pick<Known, 'redis' | 'time' | 'keys'> & {
  readonly regionResolution: number;
  /** Couriers who were last heard before this moment of the process's monotonic clock are absent, ms. */
  readonly presentSince: number;
};

/** The couriers of one search: those within `certainM` metres are all that there are. */
type Found = { readonly near: readonly Near[]; readonly certainM: number; readonly isCut: boolean };

/**
 * The nearest couriers who are present and wanted, from the index in Redis, in circles that grow. Null while Redis is
 * away, and if the search ends in a crowd of whom nobody was wanted.
 */
export async function findNearest(
  places: Places,
  place: Coordinates,
  search: NearSearch,
): Promise<readonly Near[] | null> {
  const asked = new Set<CourierId>();
  const wanted: Near[] = [];
  let count = FIRST_COUNT;
  for (const ringM of [...[FIRST_M, SECOND_M].filter((ring) => ring < search.mostM), search.mostM]) {
    if (ringM === SECOND_M && asked.size < FEW && ringM < search.mostM) continue;
    for (; ; count *= MORE) {
      // Redis is away. The caller treats null as unknown.
      const found = await searchRing(places, place, ringM, count).catch(() => null);
      if (found === null) return null;
      const { near, certainM, isCut } = found;
      const fresh = near.filter(({ courierId, awayM }) => awayM <= certainM && !asked.has(courierId));
      for (const { courierId } of fresh) asked.add(courierId);
      const chosen =
        fresh.length === 0 ? new Set<CourierId>() : await search.choose(fresh.map(({ courierId }) => courierId));
      wanted.push(...fresh.filter(({ courierId }) => chosen.has(courierId)));
      if (wanted.length >= search.enough) return wanted.slice(0, search.enough);
      if (!isCut) break;
      if (count >= MOST_COUNT) return wanted.length === 0 ? null : wanted;
    }
  }
  return wanted;
}

async function searchRing(
  { redis, time, keys, regionResolution, presentSince }: Places,
  place: Coordinates,
  ringM: number,
  count: number,
): Promise<Found> {
  const lat = Math.max(-MOST_GEO_LAT, Math.min(MOST_GEO_LAT, place.lat));
  const args = [place.lng, lat, ringM * (REDIS_RADIUS_M / EARTH_RADIUS_M), count, time.toRedis(presentSince)];
  const regions = regionsWithin(place, ringM, regionResolution);
  const answers = await Promise.all(
    regions.map(async (region) => {
      const answer = await nearestIn(redis.commands, [keys.geo(region), keys.seen(region)], args);
      return answer as [number, ...string[]];
    }),
  );
  const cut = answers.filter(([found]) => found >= count).map(([, farthest]) => metres(farthest));
  const newest = new Map<CourierId, Near & { readonly seenAt: number }>();
  for (const [, , ...rest] of answers) {
    for (let at = 0; at < rest.length; at += 3) {
      const near = { courierId: rest[at] as CourierId, awayM: metres(rest[at + 1]), seenAt: Number(rest[at + 2]) };
      // A courier who crosses a border meanwhile may be in two regions.
      if (near.seenAt >= (newest.get(near.courierId)?.seenAt ?? 0)) newest.set(near.courierId, near);
    }
  }
  return {
    near: [...newest.values()].sort((a, b) => a.awayM - b.awayM),
    certainM: Math.min(Infinity, ...cut),
    isCut: cut.length > 0,
  };
}

/** A distance of Redis on the mean sphere, metres. */
function metres(given: string | undefined): number {
  return Number(given) * (EARTH_RADIUS_M / REDIS_RADIUS_M);
}
