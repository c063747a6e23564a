import type { Delivery } from '../domain/deliveries/delivery.ts';
import { endOfUnused, type StoredFile } from '../domain/files/file.ts';
import type { DeliveryId, FileId } from '../domain/ids.ts';
import { filesOf } from '../domain/proof/verification.ts';
import { refuseField } from '../domain/refusals/refusals.ts';
import type { Change, Effect } from '../ports/changes.ts';
import type { Context } from '../ports/context.ts';

/** The named files. Refuses `unknown_file` unless each was uploaded as proof of this delivery. */
export async function getProofFiles(
  { files }: Pick<Context, 'files'>,
  deliveryId: DeliveryId,
  ids: readonly FileId[],
  pointer: string,
): Promise<readonly StoredFile[]> {
  const found = new Map((await files.findMany(ids)).map((file) => [file.id, file]));
  return ids.map((id, index) => {
    const file = found.get(id);
    if (file?.subject === deliveryId && (file.kind === 'photo' || file.kind === 'signature')) return file;
    const rule = 'must be a file that was uploaded for this delivery';
    throw refuseField(`${pointer}/${index}`, 'unknown_file', rule);
  });
}

/**
 * The effect on files of a change of proofs: those of the given ones that a proof has now are kept, and those that no
 * proof of the delivery has any more end soon. All this is part of the change, so that no crash and no lost race leaves
 * a proof without its files, or files that nothing uses.
 */
export function usingFiles(
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  { before, after }: Change,
  given: readonly StoredFile[] = [],
): Effect[] {
  const used = new Set(filesIn(after));
  const fileIds = [...new Set(given.map(({ id }) => id))].filter((id) => used.has(id));
  const unused = before === null ? [] : filesIn(before).filter((id) => !used.has(id));
  if (fileIds.length === 0 && unused.length === 0) return [];
  const { linkRealMs, proofMs } = settings.files;
  const now = clock.now();
  const endsAt = endOfUnused(now, clock.scale, linkRealMs);
  return [{ kind: 'use_files', fileIds, endsAt: now + proofMs, unused: unused.map((id) => ({ id, endsAt })) }];
}

/** The files of all proofs of the delivery. A file may be in the proofs of several stops. */
function filesIn({ pickup, dropOffs }: Delivery): FileId[] {
  return [pickup, ...dropOffs].flatMap(({ proof }) => (proof === undefined ? [] : filesOf(proof)));
}
