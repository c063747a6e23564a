import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { makeCollections } from '../../src/engines/collections.ts';
import { describe } from '../../src/engines/shapes/describe.ts';
import { explainUnfit, UnfitDocument } from '../../src/engines/shapes/unfit-document.ts';
import { validatorOf } from '../../src/engines/shapes/validator.ts';
import { COLLECTIONS, SHAPES_VERSION } from '../../src/models/collections.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { QUOTES } from '../../src/models/deliveries/quote-shape.ts';
import { VENDORS } from '../../src/models/vendors/vendor-shapes.ts';
import { aCourier, aQuote, aVendor } from '../builders.ts';
import { preparedEngines } from '../database.ts';
import { testEngines } from '../engines.ts';
import { createStores } from '../../src/models/stores.ts';
import { patient } from '../clock.ts';
import { CLOCK, QUIET, SETTINGS } from '../engines/mongo-house.ts';
import { ODD } from '../odd-rows.ts';
import { aDoor } from './access/credentials-house.ts';
import { liveOnce } from './life.ts';
import { oldRows } from './migrations/sample.ts';
import { standingIn } from '../../src/domain/couriers/courier.ts';
import { anEntry } from './audit/an-entry.ts';

const { mongoUrl: url } = testEngines('shapes');
const mongo = await connectMongo(url, QUIET);
const house = { mongo, ...createStores(mongo, patient(CLOCK), SETTINGS) };
const { db } = mongo;
afterAll(async () => {
  // The engine ends with the run, so a slow drop does not fail a test.
  await db.dropDatabase().catch(() => undefined);
  await mongo.close();
});

/** A part of a validator. */
type Node = { readonly [name: string]: unknown };

/** Every object in a validator that lists its paths, and whether it is closed. */
function objectsOf(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(objectsOf);
  return 'properties' in node ? [{ ...node }, ...inner] : inner;
}

test('[S80] MongoDB enforces the shape of every collection, and no object in it is open', async () => {
  const found = await db.listCollections().toArray();
  const stored = new Map(found.map((one) => [one.name, 'options' in one ? one.options : {}]));
  expect(COLLECTIONS.length).toBeGreaterThan(20);
  for (const shape of COLLECTIONS) {
    const { name } = shape;
    const validator = validatorOf(shape, SHAPES_VERSION);
    expect([name, stored.get(name)]).toEqual([
      name,
      { validator, validationLevel: 'moderate', validationAction: 'error' },
    ]);
    const objects = objectsOf(validator);
    expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
    expect(objects.length).toBeGreaterThan(0);
  }
});

const vendor = aVendor();
const row = { _id: vendor.id, ...vendor };
const { name: _name, ...nameless } = row;

test.each([
  ['a path that the shape does not have', { ...row, colour: 'red' }],
  ['a value of another type', { ...row, maxDistanceM: '10' }],
  ['a null where none may be', { ...row, name: null }],
  ['a path that is missing', nameless],
])('[S81] a document with %s is not stored', async (_what, odd) => {
  await expect(db.collection<{ _id: string }>(VENDORS.name).insertOne(odd)).rejects.toMatchObject({ code: 121 });
});

test('[S81] a document with such a path inside a part or a list is not stored either', async () => {
  const quotes = db.collection<{ _id: string }>(QUOTES.name);
  const quote = aQuote();
  const whole = { _id: quote.id, ...quote, endsOn: new Date() };
  const [place] = quote.places;
  await expect(quotes.insertOne({ ...whole, places: [{ ...place, alt: 1 }] } as never)).rejects.toMatchObject({
    code: 121,
  });
  await expect(quotes.insertOne({ ...whole, metadata: { size: 1 } } as never)).rejects.toMatchObject({ code: 121 });
  await quotes.insertOne(whole as never);
});

test('[S81] a store of plain records refuses such a document before it reaches the database', async () => {
  const vendors = house.mongo.records(VENDORS);
  await expect(vendors.insert({ ...row, colour: 'red' } as never)).rejects.toThrow(/colour/);
  await expect(vendors.change({ _id: row._id }, { $set: { colour: 'red' } } as never)).rejects.toThrow(/colour/);
  await expect(vendors.find({ colour: 'red' } as never)).rejects.toThrow(/colour/);
});

test('[S82] every document that the stores write has the shape of its collection', async () => {
  const door = await aDoor(await preparedEngines('shapes-life'));
  await liveOnce({ mongo: door.mongo, ...createStores(door.mongo, patient(CLOCK), SETTINGS) }, door);
  for (const shape of COLLECTIONS) {
    const { name } = shape;
    const rows = door.mongo.db.collection(name);
    const unfit = rows.find({ $nor: [validatorOf(shape, SHAPES_VERSION)] });
    expect([name, await unfit.toArray()]).toEqual([name, []]);
    expect([name, await rows.estimatedDocumentCount()]).not.toEqual([name, 0]);
  }
});

/** How often a validator of this database was set after its collection was made, as the log of the replica set says. */
const countSets = (): Promise<number> => {
  const log = mongo.connection.getClient().db('local').collection('oplog.rs');
  return log.countDocuments({ ns: `${db.databaseName}.$cmd`, 'o.collMod': { $exists: true } });
};

test('[S83] a start sets no validator again if its rules are the same', async () => {
  const before = await countSets();
  const again = await connectMongo(url, QUIET);
  await again.close();
  expect(await countSets()).toBe(before);
  await db.command({ collMod: VENDORS.name, validator: {} });
  await makeCollections(url, COLLECTIONS, SHAPES_VERSION);
  expect(await countSets()).toBe(before + 2);
});

const validatorOfVendors = async (): Promise<unknown> => {
  const [found] = await db.listCollections({ name: VENDORS.name }).toArray();
  return found !== undefined && 'options' in found ? found.options?.['validator'] : null;
};

test('[S84] a start replaces the shapes of an older version, and leaves those of a newer one', async () => {
  const current = validatorOf(VENDORS, SHAPES_VERSION);
  const fewer = { $jsonSchema: { title: `shape version ${SHAPES_VERSION}`, required: ['name'] } };
  for (const older of [{}, fewer]) {
    await db.command({ collMod: VENDORS.name, validator: older });
    await makeCollections(url, COLLECTIONS, SHAPES_VERSION);
    expect(await validatorOfVendors()).toEqual(current);
  }
  const newer = { $jsonSchema: { ...fewer.$jsonSchema, title: `shape version ${SHAPES_VERSION + 1}` } };
  await db.command({ collMod: VENDORS.name, validator: newer });
  await makeCollections(url, COLLECTIONS, SHAPES_VERSION);
  expect(await validatorOfVendors()).toEqual(newer);
  await db.command({ collMod: VENDORS.name, validator: current });
});

test('[S85] a document without the shape that an older version stored can still be changed', async () => {
  const courier = aCourier();
  const { idleSinceAt: _idle, ...older } = { _id: courier.id, ...courier };
  await db.collection<{ _id: string }>(COURIERS.name).insertOne(older, ODD);
  expect(await house.couriers.setStanding(courier, standingIn(courier, 'suspended'), anEntry())).toMatchObject({
    state: 'suspended',
  });
});

test('[S85] a process of the release before can store its own form of each document', async () => {
  let count = 0;
  for (const { name } of COLLECTIONS) {
    const rows = db.collection<{ _id: string }>(name);
    for (const row of oldRows(name)) {
      await rows.deleteOne({ _id: row._id });
      await rows.insertOne(row);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(40);
});

test('[S86] the error of a refused document names paths and reasons, and no value', async () => {
  const phone = '+49301234567';
  const odd = { ...aCourier({ phone }), email: [phone], colour: 'magenta' } as never;
  const error: unknown = await house.couriers.add(odd, null).catch((thrown: unknown) => thrown);
  if (!(error instanceof UnfitDocument)) throw new Error('it is refused');
  const told = `${String(error)} ${JSON.stringify(error.errInfo)}`;
  for (const named of ['email', 'colour', 'type did not match']) expect(told).toContain(named);
  for (const value of [phone, 'magenta']) expect(told).not.toContain(value);
});

test('[S86] the error of a write of several rows names no value either', async () => {
  const rows = [row, { ...row, _id: newId('ven'), maxDistanceM: 'far away' }];
  const write = db.collection<{ _id: string }>(VENDORS.name).insertMany(rows, { ordered: false });
  const error = await write.catch(explainUnfit);
  expect(String(error)).toContain('maxDistanceM');
  expect(String(error)).not.toContain('far away');
});

/** The hash of all shapes of a version. If a shape changes, raise `SHAPES_VERSION` by one and put the new hash here. */
const HASH = '96d8ec4910be4150';

test('[S87] a change of a shape raises the version of the shapes', () => {
  const validators = COLLECTIONS.map((shape) => [shape.name, validatorOf(shape, 0)]);
  const hash = createHash('sha256').update(JSON.stringify(validators)).digest('hex').slice(0, 16);
  expect(hash, 'a shape has changed: raise SHAPES_VERSION and put this hash in its place').toBe(HASH);
});

test('[S88] the data model explains every path in a short sentence', () => {
  const paths = COLLECTIONS.flatMap(({ name, schemas }) =>
    Object.values(schemas).flatMap((schema) => describe(schema).map((one) => ({ name, ...one }))),
  );
  expect(paths.length).toBeGreaterThan(300);
  const poor = paths.filter(({ note }) => !/^[A-Z0-9`].*\.$/.test(note) || note.split(' ').length > 24);
  expect(poor).toEqual([]);
});
