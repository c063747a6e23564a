import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Source = { readonly file: string; readonly text: string };

const ROOT = path.resolve(import.meta.dirname, '..');

/** Every TypeScript source below a folder of the repository, by its path from the root. */
export function sourcesOf(folder: string): Source[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => {
      const file = path.posix.join(folder, name.split(path.sep).join('/'));
      return { file, text: readFileSync(path.join(ROOT, file), 'utf8') };
    });
}

/** The text of a file of the repository. */
export function readRoot(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
