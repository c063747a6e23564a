import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Source = { readonly file: string; readonly text: string };

const ROOT = path.resolve(import.meta.dirname, '..');

/** Every TypeScript source below a folder of the repository, by its path from the root. */
export function sourcesOf(folder: string): Source[] {
  return filesOf(folder, (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'));
}

/** Every Markdown document below a folder of the repository, by its path from the root. */
export function documentsOf(folder: string): Source[] {
  return filesOf(folder, (name) => name.endsWith('.md'));
}

function filesOf(folder: string, isWanted: (name: string) => boolean): Source[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .map((file) => ({ file, text: readRoot(file) }));
}

/** The text of a file of the repository. */
export function readRoot(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
