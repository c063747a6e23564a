/** Uploads on a real database, without HTTP. */
import { buffer } from 'node:stream/consumers';
import type { FileKind, StoredFile } from '../../src/domain/files/file.ts';
import { newId, type FileId } from '../../src/domain/ids.ts';
import { acceptUpload } from '../../src/files/accept-upload.ts';
import { createSigner } from '../../src/models/secrets/signer.ts';
import type { Settings } from '../../src/settings.ts';
import { CLOCK, openHouse, SETTINGS } from '../engines/mongo-house.ts';

type Files = Settings['files'];

export async function openFiles(name: string, over: Partial<Files> = {}) {
  const house = await openHouse(name);
  const settings: Settings = { ...SETTINGS, files: { ...SETTINGS.files, ...over } };
  const ctx = { ...house, clock: CLOCK, settings, fileSigner: createSigner('a key for links') };
  return {
    ...house,
    ctx,
    /** Uploads one file; the kind decides which types it may have. */
    upload: (content: Buffer, declaredType: string, kind: FileKind = 'document'): Promise<StoredFile> =>
      acceptUpload(ctx, { field: 'file', declaredType, content }, { kind, subject: newId('del') }),
    contentOf: async (id: FileId): Promise<Buffer | null> => {
      const stream = await house.files.read(id);
      return stream === null ? null : buffer(stream);
    },
  };
}
