import type { Claim, ClaimStore } from '../ports/changes.ts';
import type { Mongo } from '../engines/mongo.ts';
import { CLAIMS, type ClaimRow } from './claim-shape.ts';

/** @param ends when the claim expires; null: never */
export function claimRow(claim: Claim, ends: Date | null): ClaimRow {
  return { _id: claim.fact, ...claim, ...(ends === null ? {} : { endsOn: ends }) };
}

/** Finds the claims on these facts. */
export function findClaims(mongo: Mongo, facts: readonly string[]): Promise<Claim[]> {
  const filter = { _id: { $in: [...facts] } };
  return mongo
    .collection(CLAIMS)
    .find<Claim>(filter, { projection: { _id: 0, endsOn: 0 } })
    .toArray();
}

/** Reads claims. A claim is written in the transaction of the row that needs it. */
export function createClaimStore(mongo: Mongo): ClaimStore {
  return { find: async (fact) => (await findClaims(mongo, [fact]))[0] ?? null };
}
