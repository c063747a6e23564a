import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change, CommitFailure, CommitResult, Effect } from '../../ports/changes.ts';
import { accountsOfMoney, factsOfMoney } from './book-money.ts';
import { changesIn, effectsIn, ofKind, type EffectTable } from './effects.ts';

/** The results of changes of one transaction, in their order; or why none of them was stored, and the effects at fault. */
export type Stored =
  | { readonly ok: true; readonly results: readonly CommitResult[] }
  | { readonly ok: false; readonly failure: CommitFailure; readonly faults: readonly Effect[] };

/**
 * Says whether the change may share its transaction with others: it is a birth or books money, and all of its effects
 * may.
 */
export function mayShare(table: EffectTable, change: Change): boolean {
  const effects = effectsIn(change);
  const gains = change.before === null || ofKind(effects, 'book').length > 0;
  return gains && effects.every(({ kind }) => table[kind].company === 'shared');
}

/** The rows that a change writes and no other may write at once. Two changes with one of them are apart. */
export function factsOf(change: Change): string[] {
  const effects = effectsIn(change);
  return [
    ...changesIn(change).map(({ after }) => after.id),
    ...ofKind(effects, 'claim_fact').map(({ fact }) => fact),
    ...ofKind(effects, 'move_claim').map(({ fact }) => fact),
    ...ofKind(effects, 'mark_request').map(({ request }) => `request ${request}`),
    ...ofKind(effects, 'free_courier').map(({ courierId }) => courierId),
    ...ofKind(effects, 'keep_courier').map(({ courierId }) => courierId),
    ...factsOfMoney(ofKind(effects, 'book')),
  ];
}

/** The accounts that a change books on. Two transactions of a process never touch one at once. */
export function placesOf(change: Change): string[] {
  return accountsOfMoney(ofKind(effectsIn(change), 'book'));
}

/**
 * Stores changes together. If they are not stored because of some of them, those that are known are taken out, or else
 * the halves are tried apart, down to the one at fault. So each change has the result that it would have alone.
 * @param store stores changes in one transaction
 */
export async function commitGroup(
  changes: readonly Change[],
  store: (changes: readonly Change[]) => Promise<Stored>,
): Promise<PromiseSettledResult<CommitResult>[]> {
  const [tried] = await Promise.allSettled([store(changes)]);
  if (tried.status === 'rejected') {
    // After an unknown outcome, all of them are stored or none. Nothing is gained by another try.
    if (changes.length === 1 || tried.reason instanceof Refusal) return changes.map(() => tried);
    return apart(changes, store);
  }
  const stored = tried.value;
  if (stored.ok) return stored.results.map((value) => ({ status: 'fulfilled', value }));
  const refused: PromiseSettledResult<CommitResult> = {
    status: 'fulfilled',
    value: { ok: false, ...stored.failure },
  };
  if (changes.length === 1) return [refused];
  const faults = new Set(stored.faults);
  const isAtFault = (change: Change): boolean => effectsIn(change).some((effect) => faults.has(effect));
  const rest = changes.filter((change) => !isAtFault(change));
  if (rest.length === changes.length) return apart(changes, store);
  const faulty = changes.filter(isAtFault);
  const others = rest.length === 0 ? [] : await commitGroup(rest, store);
  // If one of the others was not stored after all, the money that it would have held is free for those that lacked it.
  const isFreed = others.some((one) => one.status === 'fulfilled' && !one.value.ok);
  const again = isFreed ? await commitGroup(faulty, store) : faulty.map(() => refused);
  const results = new Map([
    ...rest.map((change, at) => [change, others[at]] as const),
    ...faulty.map((change, at) => [change, again[at]] as const),
  ]);
  return changes.map((change) => results.get(change) ?? refused);
}

async function apart(changes: readonly Change[], store: (changes: readonly Change[]) => Promise<Stored>) {
  const middle = Math.ceil(changes.length / 2);
  const first = await commitGroup(changes.slice(0, middle), store);
  return [...first, ...(await commitGroup(changes.slice(middle), store))];
}
