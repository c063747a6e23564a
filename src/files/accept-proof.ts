import type { DeliveryId, FileId } from '../domain/ids.ts';
import { refuseManyFiles } from '../domain/proof/judge-proof.ts';
import { filesOf, type StopProof } from '../domain/proof/verification.ts';
import { acceptUpload, type Upload, type UploadNeeds } from './accept-upload.ts';

/**
 * Accepts the pictures of a form of proof, and returns their files. A picture that the proof has already is its file.
 * Refuses `too_many` for the first new picture that would leave too many files at the stop. If a picture is refused, those
 * before it are stored for nothing and end at once.
 * @param proof what proves the stop so far, if anything does
 */
export async function acceptProof(
  ctx: UploadNeeds,
  uploads: readonly Upload[],
  deliveryId: DeliveryId,
  proof: StopProof | undefined,
): Promise<FileId[]> {
  const known = proof === undefined ? [] : filesOf(proof);
  const photos = new Set(proof?.photos);
  const isSigned = (proof?.signature ?? null) !== null || uploads.some(({ field }) => field === 'signature');
  const accepted: FileId[] = [];
  try {
    for (const upload of uploads) {
      const kind = upload.field === 'signature' ? 'signature' : 'photo';
      const more = kind === 'photo' ? 1 : 0;
      const refuseMore = () => refuseManyFiles(photos.size + more, isSigned, '/photo');
      const place = { kind, subject: deliveryId } as const;
      const { id } = await acceptUpload(ctx, upload, place, [...known, ...accepted], refuseMore);
      if (kind === 'photo') photos.add(id);
      accepted.push(id);
    }
  } catch (error) {
    // Nobody else knows these files yet, so no proof can have them.
    const added = accepted.filter((id) => !known.includes(id));
    await ctx.files.keep(added, ctx.clock.now());
    throw error;
  }
  return accepted;
}
