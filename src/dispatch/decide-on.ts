import { Refusal } from '../domain/refusals/refusals.ts';

/** Two reads of the basis of a decision: as it is now, and as a majority of the database has it. */
export type Ground<T> = { readonly read: () => Promise<T>; readonly confirm: () => Promise<T> };

/**
 * Decides what to write. Null writes nothing, and a refusal is thrown. A write that fails to reach a majority is never
 * acknowledged. A decision that writes nothing rests on its read alone, and a failover may take back what was read. So
 * such a decision is made again on a confirmed read. `decide` itself reads nothing that a failover may take back.
 * @returns the basis of the decision, and the decision
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
    // A refusal means that what was read does not allow this, or does not exist. A failover may take that back as well.
    // `busy` says nothing about what is stored, and a second read would wait as long again.
    if (!(error instanceof Refusal) || error.code === 'busy') throw error;
  }
  const before = await confirm();
  return { before, decision: await decide(before) };
}
