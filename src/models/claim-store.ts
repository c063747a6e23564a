import type { Claim, ClaimStore } from '../ports.ts';
import type { Mongo } from './mongo.ts';

export type ClaimRow = Claim & { readonly _id: string };

export function claimRow(claim: Claim): ClaimRow {
  return { _id: claim.fact, ...claim };
}

/** Those of the facts that are claimed. */
export function findClaims(mongo: Mongo, facts: readonly string[]): Promise<Claim[]> {
  const filter = { _id: { $in: [...facts] } };
  return mongo
    .collection<ClaimRow>('claims')
    .find<Claim>(filter, { projection: { _id: 0 } })
    .toArray();
}

/** Reads claims; they are made in the transaction of what they belong to, and kept for ever. */
export function createClaimStore(mongo: Mongo): ClaimStore {
  return { find: async (fact) => (await findClaims(mongo, [fact]))[0] ?? null };
}
