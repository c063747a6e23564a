import { webcrypto } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import {
  FILE_TYPES,
  isImage,
  LONGEST_SIDE,
  TYPES_OF,
  type FileKind,
  type FileType,
  type StoredFile,
} from '../domain/files/file.ts';
import { newId, type FileId } from '../domain/ids.ts';
import { anyOf, Refusal } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';
import { cleanImage } from './clean-image.ts';
import { createTurns } from '../work/turns.ts';
import { inspectPdf } from './inspect-pdf.ts';

/** One file of a request, whole in memory. */
export type Upload = {
  /** The field of the form. */
  readonly field: string;
  /** The type that the caller declares. */
  readonly declaredType: string;
  readonly content: Buffer;
};

export type UploadNeeds = Pick<Context, 'files' | 'clock' | 'settings'>;

/** Files that this process judges at the same time. An image takes up to 100 MB of memory and one core. */
const AT_ONCE = 2;
/** Files that may wait for that. Each waits in memory. */
const MOST_WAITING = 16;

const turns = createTurns(AT_ONCE, MOST_WAITING);

/**
 * Judges, cleans and stores an upload. The content decides about its type, and the declared type must agree. Images are
 * encoded again, logos at most 512 pixels wide and high, and PDFs are stored as they are. The file is removed after
 * `FILES_ORPHAN_MS`, unless `files.keep` sets another time because something uses it.
 * Refuses `unsupported_media_type`, `file_not_accepted`, without the image library `images_unavailable`, and
 * `too_many_requests` if many files wait already.
 * @param known files that are used in this place already. If one of them has the same content, it is returned and nothing
 *   is stored, so that a request that is sent again adds no second file.
 * @param refuseMore is called before a new file is stored, and throws if the place has no room for it
 */
export async function acceptUpload(
  ctx: UploadNeeds,
  upload: Upload,
  { kind, subject }: Pick<StoredFile, 'kind' | 'subject'>,
  known: readonly FileId[] = [],
  refuseMore = () => {},
): Promise<StoredFile> {
  const type = await typeOf(upload, kind);
  const content = await turns(() => clean(ctx, upload, type, LONGEST_SIDE[kind] ?? null));
  const sha256 = await hashOf(content);
  const same = (await ctx.files.findMany(known)).find((file) => file.kind === kind && file.sha256 === sha256);
  if (same !== undefined) return same;
  refuseMore();
  const now = ctx.clock.now();
  const file: StoredFile = {
    id: newId('fil'),
    kind,
    subject,
    type,
    bytes: content.length,
    sha256,
    createdAt: now,
    endsAt: now + ctx.settings.files.orphanMs,
  };
  await ctx.files.add(file, content);
  return file;
}

/** SHA-256 in hexadecimal. Another thread computes it, because 10 MiB take longer than a request may wait. */
async function hashOf(content: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', new Uint8Array(content))).toString('hex');
}

/** The type of the content. Refuses `unsupported_media_type` if the kind does not allow it or another was declared. */
async function typeOf({ field, declaredType, content }: Upload, kind: FileKind): Promise<FileType> {
  if (content.length === 0) throw notAccepted(field, 'must not be empty');
  const found = (await fileTypeFromBuffer(content))?.mime;
  const type = FILE_TYPES.find((known) => known === found);
  const allowed = TYPES_OF[kind];
  if (type === undefined || !allowed.includes(type)) {
    throw wrongType(field, `must have one of the types ${anyOf(allowed)}, by its content`);
  }
  if (declaredType.toLowerCase() !== type) {
    throw wrongType(field, `must be declared as \`${type}\`, the type of its content`);
  }
  return type;
}

async function clean(
  { clock, settings }: UploadNeeds,
  { field, content }: Upload,
  type: FileType,
  longestSide: number | null,
): Promise<Buffer> {
  if (isImage(type)) {
    const { maxPixels } = settings.files;
    const cleaned = await cleanImage(content, type, { maxPixels, longestSide });
    const most = `${Math.round(maxPixels / 1e6)} million pixels`;
    if (cleaned === null) throw notAccepted(field, `must be a whole picture of at most ${most}`);
    return cleaned;
  }
  const fault = await inspectPdf(clock, content);
  if (fault !== null) throw notAccepted(field, fault);
  return content;
}

function wrongType(field: string, rule: string): Refusal {
  return refuseFile('unsupported_media_type', field, rule);
}

function notAccepted(field: string, rule: string): Refusal {
  return refuseFile('file_not_accepted', field, rule);
}

function refuseFile(code: 'unsupported_media_type' | 'file_not_accepted', field: string, rule: string): Refusal {
  const message = `\`/${field}\` ${rule}.`;
  return new Refusal(code, { detail: message, errors: [{ pointer: `/${field}`, code, message }] });
}
