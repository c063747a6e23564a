import { regionOfCell, sizeOf } from '../../domain/geo/geo.ts';
import { planHints, type Hint, type IdleCourier } from '../../domain/surge/hint.ts';
import type { CourierId } from '../../domain/ids.ts';
import { sumAround, type CellCount } from '../../domain/surge/surge.ts';
import type { Context } from '../../ports/context.ts';
import type { Term } from '../../work/term.ts';
import { courierCellOf, orderCellOf } from './count-cells.ts';
import { type RegionNow, RECENT_MS, FOR_EXPECTED } from '../../domain/regions/region-now.ts';

export type HintNeeds = Pick<Context, 'hintTurns' | 'metrics' | 'notices' | 'settings'>;

export type HintDesk = {
  /** Takes what a run has read, and what was counted of it in this mode. */
  look(input: RegionNow, liveMode: boolean, counts: ReadonlyMap<string, CellCount>): Promise<void>;
};

/** Service time between two looks at who is lacking where: a forecast of a quarter of an hour changes no faster. */
const EVERY_MS = 60_000;

/**
 * Tells idle couriers of a region where they will be needed, for its leader: what waits and what is expected by the orders
 * of the last while, less the couriers around. Only couriers who stand in the region are told, so that no two leaders tell
 * one; a courier who was told counts where they were sent, until the hint ends or they get something to do.
 */
export function hintIdle(ctx: HintNeeds, term: Term): HintDesk {
  const { hints: rule } = ctx.settings;
  const told = new Map<CourierId, Hint>();
  /** Who had a hint from another leader lately, and until when he is left alone. */
  const resting = new Map<CourierId, number>();
  const lookedAt = new Map<boolean, number>();
  return {
    look: async (input, liveMode, counts) => {
      const { now } = input;
      if (rule.mostAtOnce === 0 || now - (lookedAt.get(liveMode) ?? -Infinity) < EVERY_MS) return;
      lookedAt.set(liveMode, now);
      for (const [id, { expiresAt }] of told) if (expiresAt <= now) told.delete(id);
      for (const [id, until] of resting) if (until <= now) resting.delete(id);
      const own = new Set([...counts.keys()].filter((cell) => regionOfCell(cell, sizeOf(term.region)) === term.region));
      const idle = idleIn(input, liveMode, own);
      // A courier who has become idle again since they were told has worked meanwhile: that ends the hint.
      for (const { courierId, idleMs } of idle) {
        if (idleMs < now - ((told.get(courierId)?.expiresAt ?? 0) - rule.aheadMs)) told.delete(courierId);
      }
      const expected = expectedIn(input, liveMode, counts, rule.aheadMs);
      const free = withUnseen(freeAfter(counts, idle, told), expected, counts);
      const ready = idle.filter(
        ({ courierId, idleMs }) => idleMs >= rule.leastIdleMs && !told.has(courierId) && !resting.has(courierId),
      );
      const { mostDistanceM, mostAtOnce } = rule;
      const planned = planHints(expected, free, ready, { mostDistanceM, mostAtOnce, expiresAt: now + rule.aheadMs });
      for (const hint of planned) {
        if (!term.isHeld()) return;
        if (!(await ctx.hintTurns.take(hint.courierId))) {
          resting.set(hint.courierId, now + rule.gapMs);
          continue;
        }
        told.set(hint.courierId, hint);
        ctx.metrics.count('hints_sent_total', {});
        ctx.notices.hint(hint);
      }
    },
  };
}

type Idle = IdleCourier & { readonly idleMs: number };

/** Couriers in these cells who hold nothing and are asked for nothing. */
function idleIn({ now, couriers, openOffers }: RegionNow, liveMode: boolean, cells: ReadonlySet<string>): Idle[] {
  const asked = new Set(openOffers.map(({ courierId }) => courierId));
  return couriers.flatMap(({ courier: { id, active, kind, liveMode: mode, idleSinceAt }, place }) => {
    if (mode !== liveMode || kind === 'robo' || active.length > 0 || asked.has(id)) return [];
    const cell = courierCellOf(place);
    return cells.has(cell) ? [{ courierId: id, place, cell, idleMs: now - idleSinceAt }] : [];
  });
}

/** Couriers who are free soon, by cell; those who were told to go somewhere count there. */
function freeAfter(
  counts: ReadonlyMap<string, CellCount>,
  idle: readonly Idle[],
  told: ReadonlyMap<CourierId, Hint>,
): Map<string, number> {
  const free = new Map([...counts].map(([cell, { supply }]) => [cell, supply]));
  for (const { courierId, cell } of idle) {
    const to = told.get(courierId)?.cell ?? cell;
    free.set(cell, (free.get(cell) ?? 0) - 1);
    free.set(to, (free.get(to) ?? 0) + 1);
  }
  return free;
}

/** Where nothing waits and a run may not have seen everybody, enough couriers are taken for granted. */
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

/** Deliveries that wait, and those that the orders of the last while let expect within `aheadMs`, by cell. */
function expectedIn(
  { recent }: RegionNow,
  liveMode: boolean,
  counts: ReadonlyMap<string, CellCount>,
  aheadMs: number,
): Map<string, number> {
  const expected = new Map([...counts].map(([cell, { demand }]) => [cell, demand]));
  for (const { delivery } of recent) {
    if (delivery.liveMode !== liveMode || delivery.robo !== null) continue;
    const cell = orderCellOf(delivery);
    expected.set(cell, (expected.get(cell) ?? 0) + aheadMs / RECENT_MS);
  }
  return expected;
}
