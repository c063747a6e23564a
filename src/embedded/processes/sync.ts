import { open } from 'node:fs/promises';

/** Writes a file or the names in a folder to the disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
