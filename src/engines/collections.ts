import type { mongo } from 'mongoose';
import { connect, hasCode } from './mongo.ts';
import type { AnyShape } from './shapes/shape.ts';
import { validatorOf, versionOf, type Validator } from './shapes/validator.ts';

/** A new index on a full collection, or the first one on a slow disk, may take much longer than any other command. */
const MAKE_MS = 600_000;
/** The pool opens two connections at a time. If all collections were made at once, the last would wait too long. */
const MADE_AT_ONCE = 4;
const NAMESPACE_EXISTS = 48;

/** The options that MongoDB keeps of a collection, as far as they are ours. */
type Stored = { readonly validator?: mongo.Document; readonly validationLevel?: string };

/**
 * Makes every collection and index that is missing, and brings validators up to date. It uses a connection of its own,
 * which waits longer for an answer than a server that is at work may.
 * @param version of the shapes; a validator of a newer version stays
 * @throws EngineAway if no primary answers within 4 s
 */
export async function makeCollections(url: string, shapes: readonly AnyShape[], version: number): Promise<void> {
  const { connection, db } = await connect(url, MAKE_MS);
  const waiting = [...shapes];
  try {
    const stored = await listStored(db);
    const makeNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await makeCollection(db, next, version, stored.get(next.name));
      }
    };
    await Promise.all(Array.from({ length: MADE_AT_ONCE }, makeNext));
  } finally {
    await connection.close();
  }
}

async function listStored(db: mongo.Db, filter: mongo.Document = {}): Promise<ReadonlyMap<string, Stored>> {
  const found = await db.listCollections<mongo.CollectionInfo>(filter).toArray();
  return new Map(found.map(({ name, options = {} }) => [name, options]));
}

async function makeCollection(
  db: mongo.Db,
  shape: AnyShape,
  version: number,
  stored: Stored | undefined,
): Promise<void> {
  const { name, indexes } = shape;
  const validator = validatorOf(shape, version);
  const known = stored ?? (await create(db, name, validator));
  if (!isCurrent(known, validator)) await db.command({ collMod: name, validator, ...LEVEL });
  if (indexes.length > 0) await db.collection(name).createIndexes([...indexes]);
}

/** Documents that an older version stored, and which do not fit, may be changed all the same. */
const LEVEL = { validationLevel: 'moderate', validationAction: 'error' } as const;

/** Makes a collection with its validator, and gives what is stored of it. */
async function create(db: mongo.Db, name: string, validator: Validator): Promise<Stored> {
  try {
    await db.createCollection(name, { validator, ...LEVEL });
    return { validator, ...LEVEL };
  } catch (error) {
    // Another process was first, and it may be of another version.
    if (!hasCode(error, NAMESPACE_EXISTS)) throw error;
    return (await listStored(db, { name })).get(name) ?? {};
  }
}

/**
 * A change of a validator waits for all open transactions on its collection, so one with the same rules stays, whatever
 * version it is of. So does one of a newer version: its processes are at work.
 */
function isCurrent({ validator, validationLevel }: Stored, wanted: Validator): boolean {
  if (validator === undefined || validationLevel !== LEVEL.validationLevel) return false;
  return versionOf(validator) > versionOf(wanted) || rulesOf(validator) === rulesOf(wanted);
}

function rulesOf(validator: mongo.Document): string {
  return JSON.stringify({ ...validator, $jsonSchema: { ...validator['$jsonSchema'], title: '' } });
}
