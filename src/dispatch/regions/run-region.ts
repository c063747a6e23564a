import type { Context } from '../../ports/context.ts';
import type { Stop } from '../../ports/process.ts';
import { LEASE_MS, RENEW_MS } from '../../work/hold-lease.ts';
import { keepGoing } from '../../work/keep-going.ts';
import { leadRegion, type Leader, type LeadNeeds } from './lead-region.ts';

type Needs = LeadNeeds & Pick<Context, 'bell' | 'leases'>;

export type Regions = {
  /** Gives all regions back and waits for runs in progress. */
  stop(): Promise<void>;
};

type Led = { readonly leader: Leader; fence: number; ownedUntil: number; busyAt: number };

/**
 * Least machine time between two tries to lead a region. The looks come each second, and some come a little early, so a whole
 * second would skip them.
 */
const LEAST_PAUSE_MS = RENEW_MS / 2;
/** Machine time after which the process gives back a region where nothing happens. */
const QUIET_MS = 60_000;

/**
 * Takes part in leading regions. The process that owns the lease of a region with a search leads it. The lease only
 * saves double work. The stores make sure that no delivery and no courier gets two exclusive offers.
 */
export function startRegions(ctx: Needs): Regions {
  const { real } = ctx.clock;
  const led = new Map<string, Led>();
  /** When this process last tried to get the lease of a region that it does not lead; pruned with each look around. */
  const triedAt = new Map<string, number>();
  const survive = keepGoing(ctx.log, 'regions');
  let isStopped = false;

  const claim = async (region: string): Promise<void> => {
    const requestedAt = real.elapsed();
    const fence = await ctx.leases.tryHold(leaseOf(region), LEASE_MS);
    const known = led.get(region);
    if (fence === null) {
      if (known !== undefined) await drop(region, known);
    } else if (isStopped) {
      await ctx.leases.release(leaseOf(region));
    } else if (known === undefined) {
      led.set(region, lead(ctx, region, fence, requestedAt));
    } else {
      prolong(known, fence, requestedAt);
    }
  };
  const claimNew = async (region: string): Promise<void> => {
    if (isStopped || led.has(region) || real.elapsed() - (triedAt.get(region) ?? -Infinity) < LEAST_PAUSE_MS) return;
    triedAt.set(region, real.elapsed());
    await claim(region);
  };
  const drop = async (region: string, { leader }: Led): Promise<void> => {
    led.delete(region);
    await leader.stop();
    // If the region was taken again while the old leader ended, the lease belongs to the new one.
    if (!led.has(region)) await ctx.leases.release(leaseOf(region));
  };
  const renew = (): void => {
    for (const [region, entry] of led) {
      if (!entry.leader.isQuiet()) entry.busyAt = real.elapsed();
      const isIdle = real.elapsed() - entry.busyAt > QUIET_MS;
      void survive(() => (isIdle ? drop(region, entry) : claim(region)));
    }
  };
  const lookAround = async (): Promise<void> => {
    for (const [region, at] of triedAt) if (real.elapsed() - at >= RENEW_MS) triedAt.delete(region);
    const regions = await ctx.deliveries.regionsSearching();
    await Promise.all(regions.map(claimNew));
  };
  const hear = (region: string): void => {
    const entry = led.get(region);
    if (entry !== undefined) entry.leader.request(ctx.settings.dispatch.debounceMs);
    else void survive(() => claimNew(region));
  };

  const stops = [real.everyTogether(RENEW_MS, renew), every(ctx, () => survive(lookAround)), ctx.bell.onRing(hear)];
  return {
    stop: async () => {
      isStopped = true;
      for (const stop of stops) stop();
      await Promise.all([...led].map(([region, entry]) => drop(region, entry)));
    },
  };
}

function lead(ctx: Needs, region: string, fence: number, requestedAt: number): Led {
  const leader = leadRegion(ctx, {
    region,
    ownsLease: () => ctx.clock.real.elapsed() < entry.ownedUntil,
    fence: () => entry.fence,
  });
  const entry: Led = { leader, fence, ownedUntil: requestedAt + LEASE_MS, busyAt: requestedAt };
  return entry;
}

function prolong(entry: Led, fence: number, requestedAt: number): void {
  entry.fence = fence;
  entry.ownedUntil = requestedAt + LEASE_MS;
}

function leaseOf(region: string): string {
  return `region:${region}`;
}

/** Runs a task now and each second of machine time, never twice at once. */
function every(ctx: Needs, task: () => Promise<void>): Stop {
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    await task();
    isRunning = false;
  };
  void run();
  return ctx.clock.real.everyTogether(RENEW_MS, () => void run());
}
