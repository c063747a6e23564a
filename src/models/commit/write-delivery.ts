import { endsOn } from '../../engines/retention.ts';
import { deliveriesIn, deliveryRow, polylinesIn } from '../deliveries/delivery-rows.ts';
import type { Change, EffectOf } from '../../ports/changes.ts';
import { keepFiles, storeEnds } from '../store-entries.ts';
import { isDuplicateKey } from '../../engines/mongo.ts';
import type { Stale, Work } from './work.ts';

/**
 * Stores the deliveries of changes. The result is stale if one of them has changed, or if a new one already exists.
 */
export async function writeDeliveries(
  { mongo, settings, session }: Work,
  changes: readonly Pick<Change, 'before' | 'after'>[],
): Promise<Stale | null> {
  const deliveries = deliveriesIn(mongo);
  const rowOf = ({ after }: Pick<Change, 'after'>) => deliveryRow(after, settings);
  for (const change of changes) {
    const { before } = change;
    if (before === null) continue;
    const condition = { _id: before.id, state: before.state, version: before.version };
    const { matchedCount } = await deliveries.replaceOne(condition, rowOf(change), { session });
    if (matchedCount === 0) return { why: 'stale' };
  }
  const born = changes.filter(({ before }) => before === null);
  if (born.length === 0) return null;
  try {
    await deliveries.insertMany(born.map(rowOf), { session });
    return null;
  } catch (error) {
    // An earlier try of the same create has stored it.
    if (isDuplicateKey(error)) return { why: 'stale' };
    throw error;
  }
}

/** Stores the deliveries that a change opens. Their own effects are written with those of the change. */
export function openDeliveries(work: Work, effects: readonly EffectOf<'open_delivery'>[]): Promise<Stale | null> {
  return writeDeliveries(
    work,
    effects.map(({ change }) => change),
  );
}

/** Stores the lines of new deliveries. The deliveries are new, so this cannot fail. */
export async function keepPolylines(
  { mongo, clock, settings, session }: Work,
  effects: readonly EffectOf<'keep_polylines'>[],
): Promise<null> {
  const ends = endsOn(clock, settings.retention.polylinesMs);
  const rows = effects.map(({ kind: _kind, deliveryId, ...row }) => ({ _id: deliveryId, ...row, endsOn: ends }));
  await polylinesIn(mongo).insertMany(rows, { session });
  return null;
}

/** Stores the ends of files. The result is stale if one that a delivery uses is gone, or is being removed. */
export async function useFiles(
  { mongo, session }: Work,
  effects: readonly EffectOf<'use_files'>[],
): Promise<Stale | null> {
  for (const { fileIds, endsAt, unused } of effects) {
    if (!(await keepFiles(mongo, fileIds, endsAt, { session }))) return { why: 'stale' };
    await storeEnds(mongo, unused, { session });
  }
  return null;
}
