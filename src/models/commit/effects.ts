import type { Change, Effect, EffectKind, EffectOf } from '../../ports/changes.ts';
import { bookMoney, moveDisputes } from './book-money.ts';
import { claimFacts, moveClaims } from './claim-facts.ts';
import { closeOffers } from './close-offers.ts';
import { markRequests } from './mark-requests.ts';
import type { Failure, Why, Work } from './work.ts';
import { writeAudit } from './write-audit.ts';
import { freeCouriers, keepCouriers, takeCouriers } from './write-couriers.ts';
import { keepPolylines, openDeliveries, useFiles } from './write-delivery.ts';

type Company = 'shared' | 'alone';
type Row<E> = {
  readonly fails: readonly Why[];
  /** Whether a change with such an effect may share its transaction with others, or must be alone in it. */
  readonly company: Company;
  /** Writes all effects of the kind in the transaction of their changes. Returns the first failure, or null. */
  readonly write: (work: Work, effects: readonly E[]) => Promise<Failure | null>;
};
/** The compiler demands a row for each kind of effect. */
export type EffectTable = { readonly [K in EffectKind]: Row<EffectOf<K>> };

/**
 * How each kind of effect is written and how it can fail. Kinds are written in the order of the rows. If a change can
 * fail in two ways, it fails in the way of the upper row.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const EFFECTS = {
  book:          row(['unfunded', 'frozen', 'stale'], 'shared', bookMoney),
  mark_request:  row(['repeated', 'stale'], 'shared', markRequests),
  open_delivery: row(['stale'],            'shared', openDeliveries),
  take_courier:  row(['stale'],            'alone',  takeCouriers),
  free_courier:  row(['stale'],            'shared', freeCouriers),
  keep_courier:  row(['stale'],            'shared', keepCouriers),
  claim_fact:    row(['claimed', 'stale'], 'shared', claimFacts),
  move_claim:    row(['stale'],            'shared', moveClaims),
  close_offers:  row(['stale'],            'shared', closeOffers),
  keep_polylines: row([],                  'shared', keepPolylines),
  use_files:     row(['stale'],            'shared', useFiles),
  move_dispute:  row(['stale'],            'shared', moveDisputes),
  audit:         row([],                   'shared', writeAudit),
} as const satisfies EffectTable;

/** Makes a row. The compiler refuses a writer with a failure that the row does not name. */
function row<E, W extends Why>(
  fails: readonly W[],
  company: Company,
  write: (work: Work, effects: readonly E[]) => Promise<Failure<W> | null>,
): Row<E> {
  return { fails, company, write };
}

/** Writes the effects in the order of the table. Returns the first failure, after which the caller must abort. */
export async function writeEffects(
  table: EffectTable,
  work: Work,
  effects: readonly Effect[],
): Promise<Failure | null> {
  for (const kind of Object.keys(table) as EffectKind[]) {
    const failure = await writeKind(table, kind, work, effects);
    if (failure !== null) return failure;
  }
  return null;
}

async function writeKind<K extends EffectKind>(
  table: EffectTable,
  kind: K,
  work: Work,
  effects: readonly Effect[],
): Promise<Failure | null> {
  const own = ofKind(effects, kind);
  return own.length === 0 ? null : table[kind].write(work, own);
}

/** The change and the changes that it opens. Each comes before those that it opens. */
export function changesIn(change: Change): Change[] {
  const opened = ofKind(change.effects, 'open_delivery');
  return [change, ...opened.flatMap((effect) => changesIn(effect.change))];
}

/** The effects of the change and of the changes that it opens. */
export function effectsIn(change: Change): Effect[] {
  return changesIn(change).flatMap(({ effects }) => effects);
}

/** The effects of one kind. */
export function ofKind<K extends EffectKind>(effects: readonly Effect[], kind: K): EffectOf<K>[] {
  return effects.filter((effect): effect is EffectOf<K> => effect.kind === kind);
}
