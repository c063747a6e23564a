import type { CommitFailure, EffectOf } from '../../ports/changes.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { claimRow, findClaims } from '../claim-store.ts';
import { endsOn } from '../../engines/retention.ts';
import type { Work } from './work.ts';
import { CLAIMS } from '../claim-shape.ts';

/** Claims facts in the transaction of a change. If some are already claimed, returns the first of these claims. */
export async function claimFacts(
  { mongo, clock, settings, session }: Work,
  effects: readonly EffectOf<'claim_fact'>[],
): Promise<CommitFailure | null> {
  const ends = endsOn(clock, settings.retention.claimsMs);
  const rows = effects.map(({ kind: _kind, ...claim }) => claimRow(claim, ends));
  try {
    await mongo.collection(CLAIMS).insertMany(rows, { session });
    return null;
  } catch (error) {
    // A claimed fact is an answer and not a fault.
    if (!isDuplicateKey(error)) throw error;
    return tellHolder(
      mongo,
      effects.map(({ fact }) => fact),
    );
  }
}

/** Gives claimed facts to another holder, and keeps them as long as new claims. */
export async function moveClaims(
  { mongo, clock, settings, session }: Work,
  effects: readonly EffectOf<'move_claim'>[],
): Promise<{ why: 'stale' } | null> {
  const ends = endsOn(clock, settings.retention.claimsMs);
  for (const { fact, from, holder } of effects) {
    const moved = { $set: { holder, endsOn: ends } };
    const { matchedCount } = await mongo.collection(CLAIMS).updateOne({ _id: fact, holder: from }, moved, { session });
    if (matchedCount === 0) return { why: 'stale' };
  }
  return null;
}

/** Reads the claims outside the transaction, which the duplicate key has aborted. */
async function tellHolder(mongo: Mongo, facts: readonly string[]): Promise<CommitFailure> {
  const held = await findClaims(mongo, facts);
  const claim = facts.map((fact) => held.find((row) => row.fact === fact)).find((row) => row !== undefined);
  return claim === undefined ? { why: 'stale' } : { why: 'claimed', claim };
}
