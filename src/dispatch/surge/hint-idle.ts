import { regionOfCell, sizeOf } from '../../domain/geo/geo.ts';
import { planHints, type Hint, type IdleCourier } from '../../domain/surge/hint.ts';
import type { CourierId } from '../../domain/ids.ts';
import { sumAround, type CellCount } from '../../domain/surge/surge.ts';
import type { Context } from '../../ports/context.ts';
import type { Term } from '../../work/term.ts';
import { courierCellOf } from './count-cells.ts';
import { type RegionNow, RECENT_MS, FOR_EXPECTED } from '../../domain/regions/region-now.ts';

export type HintNeeds = Pick<Context, 'hintTurns' | 'metrics' | 'notices' | 'settings'>;

export type HintDesk = {
  /** Takes the read of a run, and its counts in this mode. */
  look(input: RegionNow, liveMode: boolean, counts: ReadonlyMap<string, CellCount>): Promise<void>;
};

/** Service time between two looks for lacking couriers. A forecast of a quarter of an hour changes no faster. */
const EVERY_MS = 60_000;

/**
 * Sends hints to idle couriers of a region about where they will be needed, for its leader. It compares the waiting and
 * the expected orders with the couriers around. Only couriers who stand in the region get hints, so no two leaders send
 * one to the same courier. A courier with a hint counts where it points, until it ends or they get work.
 */
export function hintIdle(ctx: HintNeeds, term: Term): HintDesk {
  const { hints: rule } = ctx.settings;
  const hinted = new Map<CourierId, Hint>();
  /** Couriers who had a hint from another leader lately, and until when they get no other. */
  const resting = new Map<CourierId, number>();
  const lookedAt = new Map<boolean, number>();
  return {
    look: async (input, liveMode, counts) => {
      const { now } = input;
      if (rule.mostAtOnce === 0 || now - (lookedAt.get(liveMode) ?? -Infinity) < EVERY_MS) return;
      lookedAt.set(liveMode, now);
      for (const [id, { expiresAt }] of hinted) if (expiresAt <= now) hinted.delete(id);
      for (const [id, until] of resting) if (until <= now) resting.delete(id);
      const own = new Set([...counts.keys()].filter((cell) => regionOfCell(cell, sizeOf(term.region)) === term.region));
      const idle = idleIn(input, liveMode, own);
      // A courier who became idle after the hint has worked in the meantime. That ends the hint.
      for (const { courierId, idleMs } of idle) {
        if (idleMs < now - ((hinted.get(courierId)?.expiresAt ?? 0) - rule.aheadMs)) hinted.delete(courierId);
      }
      const expected = expectedIn(input, liveMode, counts, rule.aheadMs);
      const free = withUnseen(freeAfter(counts, idle, hinted), expected, counts);
      const ready = idle.filter(
        ({ courierId, idleMs }) => idleMs >= rule.leastIdleMs && !hinted.has(courierId) && !resting.has(courierId),
      );
      const { mostDistanceM, mostAtOnce } = rule;
      const planned = planHints(expected, free, ready, { mostDistanceM, mostAtOnce, expiresAt: now + rule.aheadMs });
      for (const hint of planned) {
        if (!term.ownsLease()) return;
        if (!(await ctx.hintTurns.take(hint.courierId))) {
          resting.set(hint.courierId, now + rule.gapMs);
          continue;
        }
        hinted.set(hint.courierId, hint);
        ctx.metrics.count('hints_sent_total', {});
        ctx.notices.hint(hint);
      }
    },
  };
}

type Idle = IdleCourier & { readonly idleMs: number };

/** Couriers in these cells without deliveries and without an open offer. */
function idleIn({ now, couriers, openOffers }: RegionNow, liveMode: boolean, cells: ReadonlySet<string>): Idle[] {
  const offered = new Set(openOffers.map(({ courierId }) => courierId));
  return couriers.flatMap(({ courier: { id, active, kind, liveMode: mode, idleSinceAt }, place }) => {
    if (mode !== liveMode || kind === 'robo' || active.length > 0 || offered.has(id)) return [];
    const cell = courierCellOf(place);
    return cells.has(cell) ? [{ courierId: id, place, cell, idleMs: now - idleSinceAt }] : [];
  });
}

/** Couriers who are free soon, by cell. A courier with a hint counts at its cell. */
function freeAfter(
  counts: ReadonlyMap<string, CellCount>,
  idle: readonly Idle[],
  hinted: ReadonlyMap<CourierId, Hint>,
): Map<string, number> {
  const free = new Map([...counts].map(([cell, { supply }]) => [cell, supply]));
  for (const { courierId, cell } of idle) {
    const to = hinted.get(courierId)?.cell ?? cell;
    free.set(cell, (free.get(cell) ?? 0) - 1);
    free.set(to, (free.get(to) ?? 0) + 1);
  }
  return free;
}

/** Where no delivery waits, the run may not have read all couriers, so enough of them are assumed. */
function withUnseen(
  free: Map<string, number>,
  expected: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, CellCount>,
): ReadonlyMap<string, number> {
  const seen = new Map(free);
  for (const [cell, count] of expected) {
    const isWaiting = sumAround(cell, (each) => counts.get(each)?.demand ?? 0) > 0;
    if (isWaiting || sumAround(cell, (each) => seen.get(each) ?? 0) < FOR_EXPECTED) continue;
    free.set(cell, Math.max(free.get(cell) ?? 0, Math.ceil(count)));
  }
  return free;
}

/** Deliveries that wait, and those that the recent orders make likely within `aheadMs`, by cell. */
function expectedIn(
  { recent }: RegionNow,
  liveMode: boolean,
  counts: ReadonlyMap<string, CellCount>,
  aheadMs: number,
): Map<string, number> {
  const expected = new Map([...counts].map(([cell, { demand }]) => [cell, demand]));
  for (const { delivery, cell } of recent) {
    if (delivery.liveMode !== liveMode || delivery.robo !== null) continue;
    expected.set(cell, (expected.get(cell) ?? 0) + aheadMs / RECENT_MS);
  }
  return expected;
}
