import path from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../src/domain/deliveries/events.ts';
import { sourcesOf, type Source } from './sources.ts';

/**
 * The imports that a folder of `src` may have besides itself. A row named `folder/room` limits what the room may import
 * from its own folder. `root` means the files that wire everything.
 */
// One row per line: this is a table.
// oxfmt-ignore
const MAY_IMPORT: Record<string, readonly string[]> = {
  domain:   [],
  settings: [],
  embedded: [],
  money:    ['domain', 'ports', 'settings'],
  ports:    ['domain', 'money', 'settings'],
  work:     ['domain', 'ports', 'settings'],
  engines:  ['domain', 'ports', 'settings', 'work'],
  dispatch: ['domain', 'money', 'ports', 'settings', 'work'],
  vendors:  ['domain', 'money', 'ports', 'settings'],
  files:    ['domain', 'ports', 'settings', 'work'],
  webhooks: ['domain', 'ports', 'settings'],
  models:   ['domain', 'money', 'ports', 'settings', 'work', 'engines'],
  realtime: ['domain', 'dispatch', 'ports', 'settings', 'work'],
  http:     ['domain', 'dispatch', 'money', 'vendors', 'files', 'webhooks', 'ports', 'settings', 'work'],
  process:  ['domain', 'money', 'ports', 'settings', 'work', 'vendors', 'http', 'webhooks', 'engines', 'models', 'embedded', 'root'],
  root:     ['domain', 'money', 'ports', 'settings', 'work', 'dispatch', 'files', 'webhooks', 'engines', 'models', 'realtime', 'http', 'embedded', 'process'],
};

/** Rooms of a folder, the lowest first. A room may import the rooms in its row, and the root of the folder. */
// oxfmt-ignore
const ROOMS: Record<string, Record<string, readonly string[]>> = {
  dispatch: {
    match:      [],
    learning:   [],
    deliveries: ['learning'],
    offers:     [],
    couriers:   ['deliveries', 'offers'],
    surge:      [],
    regions:    ['match', 'learning', 'offers', 'couriers', 'surge'],
    due:        ['deliveries', 'offers'],
    analytics:  [],
    billing:    [],
    reconcile:  ['due'],
  },
  money: {
    ledger:     [],
    prices:     [],
    charges:    ['ledger'],
    refunds:    ['ledger', 'charges'],
    disputes:   ['ledger'],
    suspense:   ['ledger'],
    payouts:    ['ledger'],
    'top-ups':  ['ledger', 'suspense', 'payouts'],
    wallets:    ['ledger'],
    settlement: ['ledger'],
    billing:    ['ledger'],
    reconcile:  ['ledger', 'suspense', 'payouts'],
  },
  models: {
    settings:   [],
    secrets:    [],
    deliveries: ['secrets'],
    couriers:   [],
    offers:     ['deliveries', 'couriers'],
    vendors:    [],
    positions:  [],
    streets:    [],
    learning:   [],
    surge:      [],
    regions:    [],
    audit:      [],
    limits:     [],
    billing:    [],
    ledger:     ['billing'],
    access:     ['secrets'],
    webhooks:   ['deliveries', 'secrets'],
    disputes:   ['ledger'],
    commit:     ['deliveries', 'couriers', 'offers', 'ledger', 'disputes'],
    due:        [],
    files:      [],
    analytics:  [],
    reconcile:  [],
    migrations: ['deliveries'],
  },
};

/** Rooms on which all the others of their folder stand. Imports into them are not counted. */
const GROUND_FLOORS = ['src/money/ledger/'];

/** Packages that only these files may import. */
const PACKAGES: readonly { readonly name: RegExp; readonly only: RegExp }[] = [
  { name: /^(mongoose|ioredis)$/, only: /^src\/(engines|models|embedded)\// },
  { name: /^express$/, only: /^src\/http\// },
  { name: /^(socket\.io|@socket\.io\/.*)$/, only: /^src\/realtime\// },
  { name: /^node:child_process$/, only: /^src\/embedded\// },
  {
    name: /^node:worker_threads$/,
    only: /^src\/(dispatch\/regions\/matcher|files\/printing\/printer)(-worker)?\.ts$/,
  },
  { name: /^pdfkit$/, only: /^src\/files\/printing\// },
];

/** Folders whose code does no I/O of its own, with the packages that they may import. */
const PURE: readonly { readonly folder: RegExp; readonly may: RegExp }[] = [
  {
    folder: /^src\/(domain|money)\//,
    may: /^(h3-js|node:assert(\/strict)?|node:util|point-in-polygon-hao|temporal-polyfill|typeid-js|zod)$/,
  },
  { folder: /^src\/dispatch\//, may: /^node:(assert(\/strict)?|util|worker_threads)$/ },
];

/** If the test sees fewer imports than this, its reader of imports is broken and proves nothing. */
const LEAST_IMPORTS = 1200;
/** Imports that may lead from a room of a folder into another one: more of them make one room of two. */
const MOST_CROSSING = 20;
/** Files that may lie side by side in a folder of `src`. */
const MOST_FILES = 15;

type Import = { readonly file: string; readonly specifier: string; readonly target: string | null };

const sources = sourcesOf('src');
const imports = sources.flatMap(importsOf);

function importsOf({ file, text }: Source): Import[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^'\s]+)'/g);
  return [...found].map(([, specifier = '']) => {
    const isOurs = specifier.startsWith('.');
    return { file, specifier, target: isOurs ? path.posix.join(path.posix.dirname(file), specifier) : null };
  });
}

/** The folder of a file below `src`, and its room. The room is null for a file in the folder itself. */
function placeOf(file: string): { readonly folder: string; readonly room: string | null } {
  const [, folder = '', ...rest] = file.split('/');
  if (rest.length === 0) return { folder: folder === 'settings.ts' ? 'settings' : 'root', room: null };
  return { folder, room: rest.length > 1 ? (rest[0] ?? null) : null };
}

/** Says whether the tables allow the file to import the other one. */
function mayImport(file: string, target: string): boolean {
  const [from, to] = [placeOf(file), placeOf(target)];
  if (from.folder !== to.folder) return MAY_IMPORT[from.folder]?.includes(to.folder) === true;
  const rooms = ROOMS[from.folder];
  if (rooms === undefined || from.room === to.room || to.room === null) return true;
  // All rooms of `dispatch` stand on its root. The roots of `models` and `money` also put their rooms together.
  if (from.room === null) return from.folder !== 'dispatch';
  return rooms[from.room]?.includes(to.room) === true;
}

test('[X1] a folder imports only folders further in, and a room only the rooms below it', () => {
  const strays = imports.filter(({ file, target }) => target !== null && !mayImport(file, target));
  expect(strays).toEqual([]);
  expect(imports.length).toBeGreaterThan(LEAST_IMPORTS);
});

test('[X18] at most 20 imports lead from one room of a folder into another', () => {
  const crossing = imports.filter(({ file, target }) => {
    if (target === null || GROUND_FLOORS.some((floor) => target.startsWith(floor))) return false;
    const [from, to] = [placeOf(file), placeOf(target)];
    return from.folder === to.folder && from.room !== null && to.room !== null && from.room !== to.room;
  });
  const counts = Object.keys(ROOMS).map((name) => crossing.filter(({ file }) => placeOf(file).folder === name).length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(MOST_CROSSING);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

test('[X2] only the edge that owns a package imports it', () => {
  const strays = imports.filter(({ file, specifier }) =>
    PACKAGES.some(({ name, only }) => name.test(specifier) && !only.test(file)),
  );
  expect(strays).toEqual([]);
});

test('[X31] the domain, prices and use cases import no package that does I/O and fetch nothing', () => {
  const strays = imports.filter(
    ({ file, specifier, target }) =>
      target === null && PURE.some(({ folder, may }) => folder.test(file) && !may.test(specifier)),
  );
  expect(strays).toEqual([]);
  const pure = sources.filter(({ file }) => PURE.some(({ folder }) => folder.test(file)));
  expect(pure.filter(({ text }) => /\bfetch\(/.test(text)).map(({ file }) => file)).toEqual([]);
  expect(pure.length).toBeGreaterThan(100);
});

test('[X3] nothing imports the files that put the server together', () => {
  const isWiring = (file: string): boolean => ['root', 'process'].includes(placeOf(file).folder);
  const strays = imports.filter(({ file, target }) => target !== null && !isWiring(file) && isWiring(target));
  expect(strays).toEqual([]);
});

test('[X13] no files import each other in a circle, types included', () => {
  const targets = Map.groupBy(
    imports.filter(({ target }) => target !== null),
    ({ file }) => file,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (way.includes(file) || done.has(file)) return;
    for (const { target } of targets.get(file) ?? []) walk(target ?? '', [...way, file]);
    done.add(file);
  };
  for (const { file } of sources) walk(file, []);
  expect(circles).toEqual([]);
});

test('[X14] a folder holds at most 15 files side by side', () => {
  const folders = Map.groupBy(sources, ({ file }) => path.posix.dirname(file));
  const full = [...folders].filter(([, files]) => files.length > MOST_FILES).map(([folder]) => folder);
  expect(full).toEqual([]);
  expect(folders.size).toBeGreaterThan(30);
});

/** A comparison with a state of a delivery. Stops are delivered too, so that state is left out. */
const STATE_TEST = /\bstate\)? *[!=]== '(scheduled|searching|assigned|picked_up|in_transit|canceled|failed)'/;
const RE_EXPORT = /^export (\*|(type )?\{)/m;
/** The name of a message: a literal, or the type of a stored event. */
const EMIT = /\.emit\(\s*(?:'([^']+)'|[^'\s])/g;

test('[X15] only the lifecycle and its guards test a state of a delivery', () => {
  const tests = sources.filter(({ text }) => STATE_TEST.test(text)).map(({ file }) => file);
  expect(tests.filter((file) => !/^src\/domain\/deliveries\/(lifecycle|guards)\.ts$/.test(file))).toEqual([]);
  expect(STATE_TEST.test("if (state === 'searching') return;")).toBe(true);
});

test('[X16] no file exports what it imports', () => {
  expect(sources.filter(({ text }) => RE_EXPORT.test(text)).map(({ file }) => file)).toEqual([]);
});

test('[X17] only readers of the log send events of a delivery', () => {
  const sent = sources.flatMap(({ file, text }) => [...text.matchAll(EMIT)].map((match) => ({ file, name: match[1] })));
  const stored = sent.filter(({ name }) => name === undefined || EVENT_TYPES.some((type) => type === name));
  const senders = new Set(stored.map(({ file }) => path.posix.dirname(file)));
  expect([...senders]).toEqual(['src/realtime/relay']);
});

test('[H362] the client needs nothing but its own files and socket.io-client', () => {
  const own = sourcesOf('packages/client/src').flatMap(importsOf);
  const strays = own.filter(({ specifier, target }) =>
    target === null ? specifier !== 'socket.io-client' : !target.startsWith('packages/client/src/'),
  );
  expect(strays).toEqual([]);
  expect(own.length).toBeGreaterThan(30);
});
