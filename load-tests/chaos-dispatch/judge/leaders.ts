// Watches which server leads each region, and how long a region is without a leader.
import { Redis } from 'ioredis';
import { spreadOf } from '../../statistics.ts';
import type { OpenedOffer } from './ledger.ts';

export type Gone = 'killed' | 'frozen';

/**
 * A region whose leader is gone: machine ms until another process owned its lease, and until that process asked a
 * courier.
 */
export type TakeOver = {
  readonly region: string;
  readonly gone: Gone;
  readonly leaseMs: number | null;
  readonly offerMs: number | null;
};

export type Leaders = {
  /** The leader of these regions is gone from this moment on. */
  watch(regions: readonly string[], gone: Gone): void;
  heard(offer: OpenedOffer): void;
  /** Redis is down from now on, until `redisIsUp`. Meanwhile no process can lead. */
  redisIsDown(): void;
  redisIsUp(): void;
  /** Whether every watch has ended. */
  isSettled(): boolean;
  result(): LeadersResult;
  close(): void;
};

export type LeadersResult = {
  readonly takeOvers: readonly TakeOver[];
  /** Regions without a leader within the limit, although deliveries waited there. */
  readonly leaderless: readonly string[];
  /** Regions where no delivery waited any more, so that they needed no leader. */
  readonly quiet: number;
  /** Regions that another process turned out to lead, which continued. */
  readonly mistaken: number;
  /** Machine ms from each return of Redis to the first offer anywhere. */
  readonly afterRedisMs: readonly number[];
};

/** A region must have another leader within this time; machine ms. */
export const LIMIT_MS = 10_000;
/**
 * A process that owns a lease this long after a leader is gone is alive, because leases are renewed each second and
 * live 3 s.
 */
const ALIVE_MS = 4200;
const LOOK_MS = 50;
/** A busy machine may take seconds for an answer. */
const ASK_MS = 5000;
/** No process needs to have seen a search this young. */
const YOUNG_MS = 3000;

type Watch = {
  readonly region: string;
  readonly gone: Gone;
  readonly holder: string;
  /** When the leader was gone, or when Redis came back after that; performance.now(). */
  from: number;
  leaseMs: number | null;
  /** Whether the lease was seen without an owner since then. */
  wasFree: boolean;
  /** The fencing number of the leader that is gone. An offer with a higher one is another leader's. */
  readonly fence: number;
};

export type LeadersOptions = {
  readonly redisUrl: string;
  readonly regions: readonly string[];
  /** Open searches in a region that are older than this, machine ms. */
  readonly waiting: (region: string, olderThanMs: number) => Promise<number>;
};

/** Watches the leases from now on. */
export function watchLeaders({ redisUrl, regions, waiting }: LeadersOptions): Leaders {
  const leases = followLeases(redisUrl, regions, () => judgeAll());
  const watches = new Set<Watch>();
  const takeOvers: TakeOver[] = [];
  const leaderless: string[] = [];
  const counts = { quiet: 0, mistaken: 0 };
  const afterRedisMs: number[] = [];
  let redisUpAt: number | null = null;
  let isRedisUp = true;

  const done = (watch: Watch, offerMs: number | null): void => {
    const { region, gone, leaseMs } = watch;
    if (watches.delete(watch)) takeOvers.push({ region, gone, leaseMs, offerMs });
  };
  const judge = async (watch: Watch): Promise<void> => {
    const sinceMs = performance.now() - watch.from;
    const verdict = judgeWatch(watch, leases.holder(watch.region), sinceMs);
    if (verdict === 'not led by it' && watches.delete(watch)) counts.mistaken += 1;
    if (verdict === 'led again') done(watch, null);
    if (verdict !== 'nobody leads') return;
    const count = await waiting(watch.region, YOUNG_MS);
    if (!watches.delete(watch)) return;
    if (count === 0) counts.quiet += 1;
    else leaderless.push(`${watch.region}: ${count} searches and no leader in time after it was ${watch.gone}`);
  };
  const judgeAll = async (): Promise<void> => {
    if (isRedisUp) await Promise.all([...watches].map(judge));
  };

  return {
    watch: (gone, why) => {
      for (const region of gone) {
        const [holder, fence] = [leases.holder(region), leases.fence(region)];
        if (holder === undefined) continue;
        watches.add({ region, gone: why, holder, fence, from: performance.now(), leaseMs: null, wasFree: false });
      }
    },
    heard: ({ region, fence }) => {
      const now = performance.now();
      if (redisUpAt !== null) afterRedisMs.push(now - redisUpAt);
      redisUpAt = null;
      for (const watch of watches) {
        if (watch.region !== region || fence <= watch.fence) continue;
        watch.leaseMs ??= now - watch.from;
        done(watch, now - watch.from);
      }
    },
    redisIsDown: () => {
      isRedisUp = false;
    },
    redisIsUp: () => {
      isRedisUp = true;
      redisUpAt = performance.now();
      for (const watch of watches) watch.from = redisUpAt;
    },
    isSettled: () => watches.size === 0,
    result: () => ({ takeOvers, leaderless, ...counts, afterRedisMs }),
    close: () => leases.close(),
  };
}

type WatchVerdict = 'wait' | 'not led by it' | 'led again' | 'nobody leads';

/** Judges the region now, and notes the moment when another process leads it. */
function judgeWatch(watch: Watch, holder: string | undefined, sinceMs: number): WatchVerdict {
  watch.wasFree ||= holder === undefined;
  if (holder !== undefined && (holder !== watch.holder || watch.wasFree)) watch.leaseMs ??= sinceMs;
  if (watch.leaseMs === null && holder !== undefined && sinceMs > ALIVE_MS) return 'not led by it';
  if (sinceMs < LIMIT_MS) return 'wait';
  return watch.leaseMs === null ? 'nobody leads' : 'led again';
}

type Leases = {
  /** The owner of the region's lease, as last seen. */
  holder(region: string): string | undefined;
  /** The newest fencing number of the region. */
  fence(region: string): number;
  close(): void;
};

/** Reads the leases in Redis many times a second, and calls `onLook` after each time. */
function followLeases(redisUrl: string, regions: readonly string[], onLook: () => Promise<void>): Leases {
  const redis = new Redis(redisUrl, { enableOfflineQueue: false, retryStrategy: () => LOOK_MS });
  // Without a listener the client would print the error, but the fault that stopped Redis reports it already.
  redis.on('error', () => undefined);
  const keys = regions.flatMap((region) => [`{lease:region:${region}}`, `{lease:region:${region}}:fence`]);
  const holders = new Map<string, string>();
  const fences = new Map<string, number>();
  const look = async (): Promise<void> => {
    try {
      const found = await redis.mget(keys);
      regions.forEach((region, index) => {
        const holder = found[2 * index];
        if (typeof holder === 'string') holders.set(region, holder);
        else holders.delete(region);
        fences.set(region, Math.max(Number(found[2 * index + 1] ?? 0), fences.get(region) ?? 0));
      });
    } catch {
      // Redis is down, so the last state stays and the watches wait.
    }
    await onLook();
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, LOOK_MS);
  return {
    holder: (region) => holders.get(region),
    fence: (region) => fences.get(region) ?? 0,
    close: () => {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}

/**
 * Servers that lead a region with open searches, with those regions. Their metrics name each region that a process
 * leads, with the number of its searches. The number is zero when the process does not lead it any more.
 */
export async function askLeaders(
  addresses: readonly string[],
  awake: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = await Promise.all(
    awake.map(async (index): Promise<[number, string[]]> => {
      try {
        const answer = await fetch(`${addresses[index] ?? ''}/metrics`, { signal: AbortSignal.timeout(ASK_MS) });
        const text = await answer.text();
        const lines = text.matchAll(/^dispatch_searching\{region="([^"]+)"\} (\S+)$/gmu);
        return [index, [...lines].flatMap(([, region = '', value]) => (Number(value) > 0 ? [region] : []))];
      } catch {
        // A server that does not answer leads nothing that a fault could disturb.
        return [index, []];
      }
    }),
  );
  return new Map(found.filter(([, regions]) => regions.length > 0));
}

/** The number and the usual quantiles of times in ms. All are 0 without times. */
export function summary(values: readonly number[]): { n: number; p50: number; p95: number; max: number } {
  if (values.length === 0) return { n: 0, p50: 0, p95: 0, max: 0 };
  const { count, p50, p95, max } = spreadOf(values);
  return { n: count, p50: Math.round(p50), p95: Math.round(p95), max: Math.round(max) };
}
