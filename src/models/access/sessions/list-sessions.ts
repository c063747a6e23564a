import type { SessionId } from '../../../domain/ids.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import type { AccountKey, SessionInfo } from '../../../ports/access.ts';
import { SESSIONS, type SessionRow } from '../credential-shapes.ts';

/** The filter of an account's sessions. */
export function keyOf(of: AccountKey): { 'holder.courierId': string } | { 'holder.email': string } {
  return 'courierId' in of ? { 'holder.courierId': of.courierId } : { 'holder.email': of.email };
}

/** The account of a session that has not ended; null if it has. */
export async function accountOf(mongo: Mongo, id: SessionId): Promise<AccountKey | null> {
  const row = await mongo.collection(SESSIONS).findOne({ _id: id, revokedAt: null }, { projection: { holder: 1 } });
  if (row === null) return null;
  return row.holder.type === 'courier' ? { courierId: row.holder.courierId } : { email: row.holder.email };
}

/** The live sessions of an account, newest first. */
export async function listSessions(
  mongo: Mongo,
  of: AccountKey,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<SessionInfo[]> {
  const live = { ...keyOf(of), revokedAt: null, endsOn: { $gt: new Date(now) } };
  const rows = await mongo.collection(SESSIONS).find(live).sort({ _id: -1 }).limit(most).toArray();
  return rows.map(infoOf);
}

function infoOf({ _id, rotatedAt, endsOn, createdAt, device, network }: SessionRow): SessionInfo {
  return {
    id: _id,
    createdAt: createdAt ?? null,
    lastUsedAt: rotatedAt,
    expiresAt: endsOn.getTime(),
    device: device ?? null,
    network: network ?? null,
  };
}
