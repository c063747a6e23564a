import { regionOf, regionOfCell, type Coordinates } from '../../domain/geo/geo.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import {
  calmCell,
  presentSurge,
  surgeCellOf,
  surgeLifeMs,
  surgeRule,
  type SurgeCell,
} from '../../domain/surge/surge.ts';
import type { Clock } from '../../ports/process.ts';
import type { SurgeMap } from '../../ports/dispatch/surge.ts';
import type { Settings } from '../../settings.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';

type Needs = {
  readonly redis: RedisConnections;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'dispatch' | 'surge'>;
};

/** A cell as stored in Redis under its name and mode: demand, supply, ratio, surge and the time of the count. */
type Fields = readonly [number, number | null, number, number, number];

/** Digits of the ratio that are stored. They are enough for an average of counts. */
const RATIO_DIGITS = 4;

/**
 * The surge of each region in its own hash. The region's leader replaces it as a whole, and it expires if no leader
 * counts for long. It shares the hash tag of the region's positions, so both are on the same node of a cluster.
 */
export function createSurgeMap({ redis: { commands, prefix }, clock, settings }: Needs): SurgeMap {
  const rule = surgeRule(settings.surge, clock.scale);
  const { regionResolution } = settings.dispatch;
  const lifeRealMs = Math.ceil(surgeLifeMs(rule) / clock.scale);
  const keyOf = (region: string): string => `${prefix}{r:${region}}:surge`;
  const list = async (regions: readonly string[]): Promise<SurgeCell[]> => {
    const now = clock.now();
    const hashes = await orBusy(Promise.all(regions.map((region) => commands.hgetall(keyOf(region)))));
    return hashes.flatMap((hash) =>
      Object.entries(hash).map(([name, text]) => presentSurge(decode(name, text), rule, now)),
    );
  };
  return {
    publish: async (region, cells) => {
      const write = commands.multi().del(keyOf(region));
      if (cells.length > 0) write.hset(keyOf(region), new Map(cells.map(encode))).pexpire(keyOf(region), lifeRealMs);
      const replies = await orBusy(write.exec());
      if (replies === null || replies.some(([error]) => error !== null)) throw new Refusal('busy');
    },
    at: async (place: Coordinates, liveMode) => {
      const region = regionOf(place, regionResolution);
      const cell = surgeCellOf(place, region);
      const now = clock.now();
      try {
        const text = await commands.hget(keyOf(region), nameOf(cell, liveMode));
        if (text !== null) return presentSurge(decode(nameOf(cell, liveMode), text), rule, now);
      } catch {
        // Redis is away. A price does not wait for it, and an unknown surge does not raise a price.
      }
      return calmCell(cell, liveMode, now);
    },
    list,
    listIn: async (cells) => {
      const wanted = new Set(cells);
      const found = await list([...new Set(cells.map((cell) => regionOfCell(cell, regionResolution)))]);
      return found.filter(({ cell }) => wanted.has(cell));
    },
  };
}

async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    // Redis is away. The connection logs the outage itself.
    throw new Refusal('busy');
  }
}

function nameOf(cell: string, liveMode: boolean): string {
  return `${cell}:${liveMode ? 'live' : 'test'}`;
}

function encode({ cell, liveMode, demand, supply, ratio, surge, at }: SurgeCell): [string, string] {
  const fields: Fields = [demand, supply, Number(ratio.toFixed(RATIO_DIGITS)), surge, at];
  return [nameOf(cell, liveMode), JSON.stringify(fields)];
}

function decode(name: string, text: string): SurgeCell {
  const [cell = '', mode] = name.split(':');
  const [demand, supply, ratio, surge, at] = JSON.parse(text) as Fields;
  return { cell, liveMode: mode === 'live', demand, supply, ratio, surge, at };
}
