import type { EffectOf } from '../../ports/changes.ts';
import { storeEntries } from '../store-entries.ts';
import type { Work } from './work.ts';

/** Stores the entries of the audit log. Their ids are new, so this cannot fail. */
export async function writeAudit({ mongo, session }: Work, effects: readonly EffectOf<'audit'>[]): Promise<null> {
  await storeEntries(
    mongo,
    effects.map(({ entry }) => entry),
    { session },
  );
  return null;
}
