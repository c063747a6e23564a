import type { FileBytes, FileStore } from '../../ports/files.ts';
import type { StoredFile } from '../../domain/files/file.ts';
import { isAny } from '../../engines/is-any.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { Clock } from '../../ports/process.ts';
import { keepFiles } from '../store-entries.ts';
import { BEING_REMOVED, ENDED_FILES, FILES, STAYING } from './file-shapes.ts';

const AS_FILE = { projection: { _id: 0 } } as const;

/** Stores what is known about files in MongoDB, and their content in `bytes`. */
export function createFileStore(mongo: Mongo, clock: Pick<Clock, 'real'>, bytes: FileBytes): FileStore {
  const rows = mongo.collection(FILES);
  return {
    add: async (file, content) => {
      await rows.insertOne({ _id: file.id, ...file });
      await bytes.put(file.id, content, file.type);
    },
    find: (id) => rows.findOne<StoredFile>({ _id: id, ...STAYING }, AS_FILE),
    findMany: async (ids) =>
      ids.length === 0 ? [] : rows.find<StoredFile>({ _id: { $in: [...ids] }, ...STAYING }, AS_FILE).toArray(),
    read: (id) => bytes.read(id),
    keep: (ids, endsAt) => keepFiles(mongo, ids, endsAt, {}),
    listEnded: async (before, limit) => {
      const ended = { endsAt: { $gt: 0, $lt: before } };
      if (!(await isAny(mongo, clock, FILES, ended))) return [];
      return rows
        .find<StoredFile>(ended, { ...AS_FILE, hint: ENDED_FILES })
        .sort(ENDED_FILES)
        .limit(limit)
        .toArray();
    },
    remove: async (id, before) => {
      const ended = { _id: id, endsAt: { $gt: 0, $lt: before } };
      const { matchedCount } = await rows.updateOne(ended, { $set: { endsAt: BEING_REMOVED } });
      if (matchedCount === 0) return;
      await bytes.remove(id);
      await rows.deleteOne({ _id: id, endsAt: BEING_REMOVED });
    },
  };
}
