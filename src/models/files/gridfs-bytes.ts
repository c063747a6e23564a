import { mongo as mongodb } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import type { FileId } from '../../domain/ids.ts';
import type { FileBytes } from '../../ports/files.ts';
import { begin } from '../../work/begin.ts';
import { BUCKET, BUCKET_CHUNKS, BUCKET_FILES } from './file-shapes.ts';

/** Keeps the content of files in MongoDB. */
export function createGridFsBytes(mongo: Mongo): FileBytes {
  const bucket = new mongodb.GridFSBucket(mongo.db, { bucketName: BUCKET, writeConcern: { w: 'majority' } });
  const files = mongo.collection(BUCKET_FILES);
  const chunks = mongo.collection(BUCKET_CHUNKS);
  const remove = async (id: FileId): Promise<void> => {
    await files.deleteOne({ _id: id });
    await chunks.deleteMany({ files_id: id });
  };
  return {
    put: async (id, content) => {
      // The driver's types allow only its own ids. The database takes ours.
      const upload = bucket.openUploadStreamWithId(id as never, id);
      await new Promise<void>((resolve, reject) => {
        upload.once('finish', () => resolve());
        upload.once('error', reject);
        upload.end(content);
      });
    },
    read: async (id) => {
      const found = await files.findOne({ _id: id }, { projection: { _id: 1 } });
      return found === null ? null : begin(bucket.openDownloadStream(id as never));
    },
    remove,
  };
}
