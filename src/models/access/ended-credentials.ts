import type { CredentialId } from '../../domain/access.ts';
import type { KeyId, SessionId } from '../../domain/ids.ts';
import type { Credentials } from '../../ports/access.ts';
import type { Bell } from '../../ports/process.ts';

type Ending<T> = { listEnded(ids: readonly T[]): Promise<readonly T[]> };
type Needs = {
  /** Announces ended credentials: their ids with spaces between them. */
  readonly endings: Bell;
  readonly sessions: Ending<SessionId>;
  readonly keys: Ending<KeyId>;
};

/** Ids in one message. */
const MOST_TOLD = 100;
/** Ids in one query. */
const MOST_ASKED = 1000;

/** Reports which credentials have ended: at once to listeners in every process, and on request from the database. */
export function watchEnded({ endings, sessions, keys }: Needs): Pick<Credentials, 'onEnded' | 'listEnded'> {
  return {
    onEnded: (listener) => endings.onRing((told) => listener(new Set(told.split(' ').filter(isCredential)))),
    listEnded: async (ids) => {
      const ended = [listEndedOf(ids.filter(isSession), sessions), listEndedOf(ids.filter(isKey), keys)];
      return new Set<CredentialId>((await Promise.all(ended)).flat());
    },
  };
}

/** Informs every process that these credentials have ended. */
export function tellEnded(endings: Bell, ids: readonly CredentialId[]): void {
  for (const part of inParts(ids, MOST_TOLD)) endings.ring(part.join(' '));
}

function isCredential(id: string): id is CredentialId {
  return isSession(id) || isKey(id);
}

function isSession(id: string): id is SessionId {
  return id.startsWith('ses_');
}

function isKey(id: string): id is KeyId {
  return id.startsWith('key_');
}

async function listEndedOf<T extends CredentialId>(ids: readonly T[], credentials: Ending<T>): Promise<CredentialId[]> {
  const ended: T[] = [];
  for (const part of inParts(ids, MOST_ASKED)) ended.push(...(await credentials.listEnded(part)));
  return ended;
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
