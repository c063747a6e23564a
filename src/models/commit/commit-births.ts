import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change, CommitResult } from '../../ports/changes.ts';
import { ofKind, type EffectTable } from './effects.ts';

/** Says whether the change may share its transaction with others: it is a birth, and all of its effects may. */
export function mayShare(table: EffectTable, { before, effects }: Change): boolean {
  return before === null && effects.every(({ kind }) => table[kind].company === 'shared');
}

/** The rows that a birth adds. Two births that add the same row cannot share a transaction. */
export function factsOf({ after, effects }: Change): string[] {
  return [after.id, ...ofKind(effects, 'claim_fact').map(({ fact }) => fact)];
}

/**
 * Stores births together. If a group is not stored because of one of them, its halves are tried apart, down to the one
 * at fault. So each birth has the result that it would have alone.
 * @param store stores changes in one transaction
 */
export async function commitBirths(
  births: readonly Change[],
  store: (changes: readonly Change[]) => Promise<CommitResult>,
): Promise<PromiseSettledResult<CommitResult>[]> {
  const [result] = await Promise.allSettled([store(births)]);
  const isSettled = result.status === 'fulfilled' ? result.value.ok : result.reason instanceof Refusal;
  // After an unknown outcome, all of them are stored or none. Nothing is gained by another try.
  if (births.length === 1 || isSettled) return births.map(() => result);
  const middle = Math.ceil(births.length / 2);
  const first = await commitBirths(births.slice(0, middle), store);
  return [...first, ...(await commitBirths(births.slice(middle), store))];
}
