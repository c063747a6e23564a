import type { Ledger } from '../../ports/ledger.ts';
import type { Entry } from './entries.ts';

/**
 * Books an entry once, and returns false if it was booked before. Throws if the ledger refuses it, which only a mistake of
 * ours or a bound of the store can cause.
 */
export async function postEntry(ledger: Pick<Ledger, 'post'>, entry: Entry): Promise<boolean> {
  const result = await ledger.post({ do: 'post', entry }, null);
  if (!result.ok) throw new Error(`the entry ${entry.key} cannot be booked: ${result.why}`);
  return !result.isRepeat;
}
