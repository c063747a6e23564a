import { buffer } from 'node:stream/consumers';
import type { StoredFile } from '../../../src/domain/files/file.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { FileStore } from '../../../src/ports/files.ts';
import { NOON } from '../../builders.ts';

/** A photo of a delivery, without its content. */
export function aFile(over: Partial<StoredFile> = {}): StoredFile {
  return {
    id: newId('fil'),
    kind: 'photo',
    subject: newId('del'),
    type: 'image/jpeg',
    bytes: 7,
    sha256: 'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73',
    createdAt: NOON,
    endsAt: NOON,
    ...over,
  };
}

/** Calls of every method of the store, with files that exist and with files that do not. */
export function callsOfFiles(files: FileStore, limit: number) {
  return {
    add: () => files.add(aFile(), Buffer.from('content')),
    find: () => files.find('fil_7'),
    findMany: () => files.findMany(['fil_7', newId('fil')]),
    read: async () => {
      for (const id of ['fil_7', newId('fil')] as const) {
        const content = await files.read(id);
        if (content !== null) await buffer(content);
      }
    },
    keep: () => files.keep(['fil_7', newId('fil')], NOON),
    listEnded: async () => {
      for (const before of [NOON + 1_000_000_000, 1]) await files.listEnded(before, limit);
    },
    remove: async () => {
      for (const id of ['fil_9', newId('fil')] as const) await files.remove(id, NOON + 1_000_000_000);
    },
  };
}

/** Rows of the collections of files, by their number. */
export const FILE_ROWS = {
  files: (at: number) => ({ ...aFile({ id: `fil_${at}`, endsAt: at % 4 === 0 ? null : NOON + at }), _id: `fil_${at}` }),
  'uploads.files': (at: number) => {
    const about = { length: 7, chunkSize: 261_120, uploadDate: new Date(NOON) };
    return { _id: `fil_${at}`, ...about, filename: `fil_${at}` };
  },
  'uploads.chunks': (at: number) => ({ _id: `chunk_${at}`, files_id: `fil_${at}`, n: 0, data: Buffer.from('content') }),
};
