import { areDuplicateKeys, type Mongo } from '../../engines/mongo.ts';
import type { LedgerResult } from '../../money/ledger/decide.ts';
import type { EffectOf } from '../../ports/changes.ts';
import { replaceDispute } from '../disputes/dispute-rows.ts';
import { accountsOf, factsOf, refuseUnsoundCommand, writeGroup } from '../ledger/write-group.ts';
import type { Failure, Stale, Work } from './work.ts';

type Booking = EffectOf<'book'>;
type Refused = 'unfunded' | 'frozen' | 'stale';

/** The refusals of the ledger that are answers and no faults. A hold that is resolved belongs to a delivery that has ended. */
const FAILURES = { unfunded: 'insufficient_funds', frozen: 'wallet_frozen', stale: 'hold_not_open' } as const;
const WHYS = Object.keys(FAILURES) as Refused[];

/**
 * Books the money of changes in their transaction. Fails if wallets have less than is to be held or are frozen, or if
 * another change of a delivery has booked its money, and names the effects at fault.
 * @throws Error if a command is refused for another reason
 */
export async function bookMoney(
  { mongo, clock, session }: Work,
  effects: readonly Booking[],
): Promise<Failure<Refused> | null> {
  const postings = effects.map(({ command }) => ({ command, audit: null }));
  let results: LedgerResult[];
  try {
    results = await writeGroup({ mongo, clock }, session, postings);
  } catch (error) {
    // The fact of another change of the same delivery.
    if (areDuplicateKeys(error)) return { why: 'stale' };
    throw error;
  }
  const whys = results.map((result) => (result.ok ? null : result.why));
  for (const why of WHYS) {
    const faults = effects.filter((_effect, at) => whys[at] === FAILURES[why]);
    if (faults.length > 0) return { why, faults };
  }
  const fault = whys.find((why) => why !== null);
  if (fault !== undefined) throw new Error(`money was not booked: ${fault}`);
  return null;
}

/** Asserts that each command is sound and of the tenant that is at work. */
export function refuseUnsoundMoney(mongo: Mongo, effects: readonly Booking[]): void {
  for (const { command } of effects) refuseUnsoundCommand(mongo, command);
}

/** The facts that the effects book. Two changes of one fact never share a transaction. */
export function factsOfMoney(effects: readonly Booking[]): string[] {
  return effects.flatMap(({ command }) => factsOf(command));
}

/** The stored accounts that the effects change. */
export function accountsOfMoney(effects: readonly Booking[]): string[] {
  return effects.flatMap(({ command }) => accountsOf(command));
}

/** Writes the next versions of disputes. The result is stale if one of them has changed since it was decided. */
export async function moveDisputes(
  { mongo, session }: Work,
  effects: readonly EffectOf<'move_dispute'>[],
): Promise<Stale | null> {
  for (const { next } of effects) if (!(await replaceDispute(mongo, session, next))) return { why: 'stale' };
  return null;
}
