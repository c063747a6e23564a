import type { mongo as mongodb } from 'mongoose';
import type { KeyId } from '../../../domain/ids.ts';
import type { Clock } from '../../../ports/process.ts';
import type { KeyRow } from '../credential-shapes.ts';

/** Machine time between two writes of the last use of a key. */
const EVERY_MS = 60_000;
/** Uses wait this long, machine time, so that those of many keys are one command. */
const GATHER_MS = 1000;
/** Most keys whose last write a process remembers. The oldest are forgotten first. */
const MOST_NOTED = 10_000;

/** Returns a function that notes the use of a key. Each key is written at most once a minute, and nothing waits for it. */
export function createUseNotes(rows: mongodb.Collection<KeyRow>, { real }: Pick<Clock, 'real'>): (id: KeyId) => void {
  const notedAt = new Map<KeyId, number>();
  let gathered: KeyId[] = [];
  const write = (): void => {
    const ids = gathered;
    gathered = [];
    const now = real.now();
    // Another process may have written some of them in this minute.
    const isOld = { $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lte: now - EVERY_MS } }] };
    const use = { $set: { lastUsedAt: now } };
    // If the database is away, a later use is written.
    const forget = (): void => ids.forEach((id) => notedAt.delete(id));
    void rows.updateMany({ keyId: { $in: ids }, ...isOld }, use, { writeConcern: { w: 1 } }).catch(forget);
  };
  return (id) => {
    const now = real.now();
    if (now - (notedAt.get(id) ?? -Infinity) < EVERY_MS) return;
    notedAt.delete(id);
    notedAt.set(id, now);
    for (const oldest of notedAt.keys()) {
      if (notedAt.size <= MOST_NOTED) break;
      notedAt.delete(oldest);
    }
    gathered.push(id);
    if (gathered.length === 1) real.after(GATHER_MS, write);
  };
}
