import { finished, type Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { accountOf } from '../../domain/access.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Upload } from '../../files/accept-upload.ts';
import type { Settings } from '../../settings.ts';

/** The fields of a form that have files, and how many files each may have. */
export type UploadFields = Readonly<Record<string, number>>;

type Limits = Pick<Settings['files'], 'maxBytes' | 'uploadsAtOnce'>;
type Kept = { readonly content: Buffer };

/** Limits of the other parts of a form. They are short texts. A proof has at most 20 barcodes and four other fields. */
const MOST_FIELDS = 40;
const MOST_FIELD_BYTES = 8192;
const MOST_NAME_BYTES = 100;
const MOST_HEADERS_OF_PART = 20;
/** Forms of one account at the same time. Without this limit, slow uploads of one account could keep out all others. */
const MOST_OF_ACCOUNT = 4;

/** Reads forms with files into memory; nothing is written to the disk. All routes share the limit on bodies at once. */
export function createUploadReader({ maxBytes, uploadsAtOnce }: Limits): (fields: UploadFields) => RequestHandler[] {
  let reading = 0;
  const byAccount = new Map<string, number>();
  const count = (account: string, change: 1 | -1): void => {
    reading += change;
    const now = (byAccount.get(account) ?? 0) + change;
    if (now === 0) byAccount.delete(account);
    else byAccount.set(account, now);
  };
  const admit: RequestHandler = (req, res, next) => {
    if (req.is('multipart/form-data') === false) throw wrongType('`Content-Type` must be `multipart/form-data`.');
    if (req.get('content-encoding') !== undefined) throw wrongType('`Content-Encoding` must be left out.');
    if (Number(req.get('content-length') ?? 0) > maxBytes + MOST_FIELDS * MOST_FIELD_BYTES) throw tooLarge(maxBytes);
    if (reading >= uploadsAtOnce) throw new Refusal('busy', { detail: 'Too many files arrive at the moment.' });
    const account = accountOf(res.locals.caller);
    if ((byAccount.get(account) ?? 0) >= MOST_OF_ACCOUNT) throw tooMany();
    count(account, 1);
    // Unlike the event `close`, this also reports a caller who left while they were authenticated.
    finished(res, () => count(account, -1));
    next();
  };
  return (fields) => {
    const form = multer({
      storage: keepInMemory(maxBytes),
      limits: {
        fileSize: maxBytes,
        files: Object.values(fields).reduce((sum, most) => sum + most, 0),
        fields: MOST_FIELDS,
        fieldSize: MOST_FIELD_BYTES,
        fieldNameSize: MOST_NAME_BYTES,
        // The library would make lists of any length from names such as `a[4294967294]`, and then go through them.
        fieldNestingDepth: 0,
        headerPairs: MOST_HEADERS_OF_PART,
      },
    }).fields(Object.entries(fields).map(([name, maxCount]) => ({ name, maxCount })));
    const read: RequestHandler = (req, res, next) => {
      form(req, res, (error?: unknown) => {
        if (error === undefined || error === null) keepFiles(req, res);
        next(error === undefined || error === null ? undefined : refusalOf(error, maxBytes));
      });
    };
    return [admit, read];
  };
}

function tooMany(): Refusal {
  const detail = `An account may send at most ${MOST_OF_ACCOUNT} forms with files at the same time.`;
  return new Refusal('too_many_requests', { reason: 'uploads', detail, metadata: { retry_after_s: 1 } });
}

const uploads = new WeakMap<Request, readonly Upload[]>();

/** The files of the request; empty if its route takes none. */
export function uploadsOf(req: Request): readonly Upload[] {
  return uploads.get(req) ?? [];
}

function keepFiles(req: Request, res: Response): void {
  const byField = (req.files ?? {}) as Record<string, (Express.Multer.File & Kept)[]>;
  const files = Object.values(byField).flat();
  uploads.set(
    req,
    files.map(({ fieldname, mimetype, content }) => ({ field: fieldname, declaredType: mimetype, content })),
  );
  // The object of the library has no prototype, and the schemas expect a plain one.
  req.body = { ...(req.body as Record<string, unknown>) };
  delete req.files;
  res.once('close', () => uploads.delete(req));
}

/** Keeps files in memory, up to `maxBytes` for all files of a request together. */
function keepInMemory(maxBytes: number): StorageEngine {
  const sums = new WeakMap<Request, number>();
  return {
    _handleFile: (req, file, done) => {
      const pieces: Buffer[] = [];
      const stream: Readable = file.stream;
      stream.on('data', (piece: Buffer) => {
        const sum = (sums.get(req) ?? 0) + piece.length;
        sums.set(req, sum);
        if (sum <= maxBytes) pieces.push(piece);
      });
      stream.once('error', done);
      stream.once('end', () => {
        if ((sums.get(req) ?? 0) > maxBytes) done(tooLarge(maxBytes));
        else done(null, { content: Buffer.concat(pieces) } as Partial<Express.Multer.File>);
      });
    },
    _removeFile: (_req, _file, done) => done(null),
  };
}

function refusalOf(error: unknown, maxBytes: number): unknown {
  if (error instanceof Refusal) return error;
  if (!(error instanceof MulterError)) return error instanceof Error ? malformed() : error;
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge(maxBytes);
  const why = OF_FIELDS.get(error.code);
  if (why !== undefined) return unknown(error.field, why);
  const detail = `The form must have at most ${MOST_FIELDS} fields, each of at most ${MOST_FIELD_BYTES} bytes.`;
  return new Refusal('payload_too_large', { detail });
}

const NO_FILE = 'must not be a file of this form, or it has too many files.';
/** The errors of a field that the form does not have, or of one file too many. */
const OF_FIELDS: ReadonlyMap<string, string> = new Map([
  ['LIMIT_UNEXPECTED_FILE', NO_FILE],
  ['LIMIT_FILE_COUNT', NO_FILE],
  ['LIMIT_FIELD_NESTING', 'must not have brackets in its name.'],
]);

function unknown(field: string | undefined, why: string): Refusal {
  const pointer = `/${(field ?? '').slice(0, MOST_NAME_BYTES)}`;
  const message = `\`${pointer}\` ${why}`;
  const errors = [{ pointer, code: 'unknown_field', message }];
  return new Refusal('unknown_field', { detail: message, errors });
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('payload_too_large', { detail: `The files must have at most ${maxBytes} bytes together.` });
}

function wrongType(detail: string): Refusal {
  return new Refusal('unsupported_media_type', { detail });
}

function malformed(): Refusal {
  return new Refusal('malformed_body', { detail: 'The body must be a whole form in `multipart/form-data`.' });
}
