import type { mongo } from 'mongoose';
import { FILE_KINDS, FILE_TYPES, type StoredFile } from '../../domain/files/file.ts';
import { bytes, date, id, maybe, number, objectId, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

export type FileRow = StoredFile & { readonly _id: string };

/** The key of the index that finds the files to remove. */
export const ENDED_FILES = { endsAt: 1 } as const;

/**
 * The end of a file whose removal has begun. It lies before every other end, so that a removal that was cut short is
 * repeated first.
 */
export const BEING_REMOVED = 1;
/** Selects the files whose removal has not begun. */
export const STAYING = { endsAt: { $ne: BEING_REMOVED } } as const;

export const FILES = shape<FileRow>({
  name: 'files',
  holds: 'A stored file: its purpose, its type and its size. Its content is in GridFS or in an S3 bucket.',
  kept: 'A file that nothing uses: `FILES_ORPHAN_MS`. Proof: `FILES_PROOF_MS`. Documents: `FILES_DOCUMENT_MS` after they ended. Logos: until they are replaced. Replaced logos and signatures: twice `FILES_LINK_REAL_MS`.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: ENDED_FILES, partialFilterExpression: { endsAt: { $gt: 0 } } }],
  fields: {
    _id: text('The file’s id.'),
    id: id('fil', 'The file’s id.'),
    kind: oneOf(FILE_KINDS, 'The purpose of the file.'),
    subject: text('The delivery, courier or vendor to which the file belongs.'),
    type: oneOf(FILE_TYPES, 'The type of the content.'),
    bytes: number('The size of the content, bytes.'),
    sha256: text('SHA-256 of the content, hexadecimal.'),
    createdAt: number('When the file was stored, service time in ms.'),
    endsAt: maybe(
      number('When the server removes the file, service time in ms; 1 while it does so; null if it stays.'),
    ),
  },
});

/** The name of the GridFS bucket, with which the names of its two collections begin. */
export const BUCKET = 'uploads';

type BucketFileRow = {
  readonly _id: string;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
  readonly filename: string;
};

export const BUCKET_FILES = shape<BucketFileRow>({
  name: `${BUCKET}.files`,
  holds: 'The content of one file in GridFS, without its bytes.',
  kept: 'As long as its row in `files`.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: { filename: 1, uploadDate: 1 } }],
  fields: {
    _id: text('The file’s id.'),
    length: number('The size, bytes.'),
    chunkSize: number('The size of each chunk but the last, bytes.'),
    uploadDate: date('When the content was stored, machine time.'),
    filename: text('The file’s id. The name of the upload is not kept.'),
  },
});

type ChunkRow = {
  readonly _id: mongo.ObjectId;
  readonly files_id: string;
  readonly n: number;
  readonly data: Uint8Array;
};

export const BUCKET_CHUNKS = shape<ChunkRow>({
  name: `${BUCKET}.chunks`,
  holds: 'One piece of the content of a file in GridFS.',
  kept: 'As long as its row in `files`.',
  shardKey: { files_id: 'hashed' },
  indexes: [{ key: { files_id: 1, n: 1 } }],
  fields: {
    _id: objectId('The id that the driver gives the piece.'),
    files_id: text('The file’s id.'),
    n: number('The place of the piece in the file, from 0.'),
    data: bytes('The bytes.'),
  },
});
