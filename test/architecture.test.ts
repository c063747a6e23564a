import path from 'node:path';
import { expect, test } from 'vitest';
import { sourcesOf, type Source } from './sources.ts';

/** Which folders of `src` a folder may import besides itself; `root` are the files that wire everything. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  domain: [],
  money: ['domain', 'ports', 'settings'],
  ports: ['domain', 'money', 'settings'],
  settings: [],
  work: ['domain', 'ports', 'settings'],
  dispatch: ['domain', 'money', 'ports', 'settings', 'work'],
  vendors: ['domain', 'money', 'ports', 'settings'],
  files: ['domain', 'ports', 'settings'],
  webhooks: ['domain', 'ports', 'settings'],
  engines: ['domain', 'ports', 'settings'],
  models: ['domain', 'money', 'ports', 'settings', 'engines'],
  realtime: ['domain', 'dispatch', 'ports', 'settings'],
  http: ['domain', 'dispatch', 'money', 'vendors', 'files', 'webhooks', 'ports', 'settings'],
  embedded: [],
  root: [
    'domain',
    'money',
    'ports',
    'settings',
    'work',
    'dispatch',
    'webhooks',
    'engines',
    'models',
    'realtime',
    'http',
    'embedded',
    'process',
  ],
  process: ['domain', 'ports', 'settings', 'work', 'engines', 'models', 'embedded', 'root'],
};

/** Packages that only these files may import. */
const PACKAGES: readonly { readonly name: RegExp; readonly only: RegExp }[] = [
  { name: /^(mongoose|ioredis)$/, only: /^src\/(engines|models|embedded)\// },
  { name: /^express$/, only: /^src\/http\// },
  { name: /^(socket\.io|@socket\.io\/.*)$/, only: /^src\/realtime\// },
  { name: /^node:child_process$/, only: /^src\/embedded\// },
  { name: /^node:worker_threads$/, only: /^src\/dispatch\/regions\/matcher(-worker)?\.ts$/ },
];

/** If fewer imports are seen than this, the reader of imports is broken and proves nothing. */
const LEAST_IMPORTS = 400;

type Import = { readonly file: string; readonly from: string; readonly specifier: string };

function placeOf(file: string): string {
  const [, first = '', ...rest] = file.split('/');
  if (rest.length > 0) return first;
  const name = first.replace(/\.ts$/, '');
  return name === 'settings' ? name : 'root';
}

function importsOf({ file, text }: Source): Import[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map((match) => ({ file, from: placeOf(file), specifier: match[1] ?? '' }));
}

const imports = sourcesOf('src').flatMap(importsOf);

test('[X1] a folder imports only what lies further in', () => {
  const strays = imports.filter(({ file, from, specifier }) => {
    if (!specifier.startsWith('.')) return false;
    const to = placeOf(path.posix.join(path.posix.dirname(file), specifier));
    return to !== from && !MAY_IMPORT[from]?.includes(to);
  });
  expect(strays).toEqual([]);
  expect(imports.length).toBeGreaterThan(LEAST_IMPORTS);
});

test('[X2] a package that belongs to one edge is imported only there', () => {
  const strays = imports.filter(({ file, specifier }) =>
    PACKAGES.some(({ name, only }) => name.test(specifier) && !only.test(file)),
  );
  expect(strays).toEqual([]);
});

test('[X3] nothing imports the wiring', () => {
  const strays = imports.filter(({ from, specifier, file }) => {
    if (!specifier.startsWith('.') || from === 'root' || from === 'process') return false;
    const to = placeOf(path.posix.join(path.posix.dirname(file), specifier));
    return to === 'root' || to === 'process';
  });
  expect(strays).toEqual([]);
});
