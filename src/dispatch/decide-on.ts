import { Refusal } from '../domain/refusals/refusals.ts';

/** Two reads of what a decision rests on: as it is now, and as a majority of the database has it. */
export type Ground<T> = { readonly read: () => Promise<T>; readonly confirm: () => Promise<T> };

/**
 * Decides what to write; null writes nothing, and a refusal is thrown. A write that fails to reach a majority is never
 * acknowledged. A decision that writes nothing rests on its read alone, and a failover may take back what was read. So
 * such a decision is made again on a confirmed read. `decide` reads nothing by itself that a failover may take back.
 * @returns what was decided on, with the decision
 */
export async function decideOn<T, D>(
  { read, confirm }: Ground<T>,
  decide: (before: T) => Promise<D | null> | D | null,
): Promise<{ readonly before: T; readonly decision: D | null }> {
  try {
    const fresh = await read();
    const decision = await decide(fresh);
    if (decision !== null) return { before: fresh, decision };
  } catch (error) {
    // A refusal says of what was read that it does not allow this, or is not there: that may be taken back as well.
    // A database that is away says nothing of what is stored, and would be waited for twice.
    if (!(error instanceof Refusal) || error.code === 'busy') throw error;
  }
  const before = await confirm();
  return { before, decision: await decide(before) };
}
