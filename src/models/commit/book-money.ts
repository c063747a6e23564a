import type { Mongo } from '../../engines/mongo.ts';
import type { EffectOf } from '../../ports/changes.ts';
import { accountsOf, factsOf, refuseUnsoundCommand, writeGroup } from '../ledger/write-group.ts';
import type { Failure, Work } from './work.ts';

type Booking = EffectOf<'book'>;
type Refused = 'unfunded' | 'frozen';

/** The refusals of the ledger that are answers and no faults. */
const FAILURES = { unfunded: 'insufficient_funds', frozen: 'wallet_frozen' } as const;
const WHYS = Object.keys(FAILURES) as Refused[];

/**
 * Books the money of changes in their transaction. Fails if wallets have less than is to be held or are frozen, and
 * names the holds.
 * @throws Error if a command is refused for another reason: the versions of the deliveries exclude that
 */
export async function bookMoney(
  { mongo, clock, session }: Work,
  effects: readonly Booking[],
): Promise<Failure<Refused> | null> {
  const postings = effects.map(({ command }) => ({ command, audit: null }));
  const results = await writeGroup({ mongo, clock }, session, postings);
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
