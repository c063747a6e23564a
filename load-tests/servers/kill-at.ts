// Loaded into a server before its own code (`node --import`). It kills the process at a named point of its work with the
// database, as `KILL_AT` says, without any support of the server.
import { mongo } from 'mongoose';

/** A write of rows, or the commit of a transaction with such a write. `text` is a part of what is written. */
export type KillPoint = {
  readonly when: 'before' | 'after';
  readonly what: 'write' | 'commit';
  readonly collection: string;
  readonly text: string;
};

const WRITES = ['insertOne', 'insertMany', 'updateOne', 'replaceOne', 'bulkWrite', 'findOneAndUpdate'] as const;
type Run = () => Promise<unknown>;

const point = JSON.parse(process.env['KILL_AT'] ?? 'null') as KillPoint | null;
/** The sessions whose transactions have such a write. */
const marked = new WeakSet<object>();

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process is being killed');
}

/** Runs a step, and dies before or after it if it is the point. */
async function passing(isPoint: boolean, run: Run): Promise<unknown> {
  if (isPoint && point?.when === 'before') die();
  const result = await run();
  if (isPoint) die();
  return result;
}

function sessionIn(given: readonly unknown[]): object | null {
  for (const one of given)
    if (typeof one === 'object' && one !== null && 'session' in one) return one.session as object | null;
  return null;
}

/** The arguments as text. Sessions refer to themselves, and are left out. */
function textOf(given: readonly unknown[]): string {
  return JSON.stringify(given, (key, value: unknown) => {
    if (key === 'session') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** Puts another step in the place of a method of the driver. */
function replace<T extends object>(of: T, name: string, by: (self: T, given: unknown[], run: Run) => Promise<unknown>) {
  const method = Reflect.get(of, name) as (...given: unknown[]) => Promise<unknown>;
  Reflect.set(of, name, function (this: T, ...given: unknown[]) {
    return by(this, given, () => Reflect.apply(method, this, given) as Promise<unknown>);
  });
}

if (point !== null) {
  for (const name of WRITES)
    replace(mongo.Collection.prototype as mongo.Collection, name, (rows, given, run) => {
      const isMeant = rows.collectionName === point.collection && textOf(given).includes(point.text);
      const session = sessionIn(given);
      if (isMeant && session !== null) marked.add(session);
      return passing(isMeant && point.what === 'write', run);
    });
  replace(mongo.ClientSession.prototype, 'commitTransaction', (session, _given, run) =>
    passing(point.what === 'commit' && marked.has(session), run),
  );
}
