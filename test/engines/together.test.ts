import { mongo as mongodb } from 'mongoose';
import { expect, test } from 'vitest';
import { createFinds, createInserts } from '../../src/engines/together.ts';
import { captureCommands } from '../models/explain/captured.ts';
import { CLOCK, openHouse } from './mongo-house.ts';

const { mongo } = await openHouse('together', 'monitorCommands=true');
const capture = captureCommands(mongo);
type Row = { readonly _id: string; readonly name?: string; readonly count: number };
const rows = await mongo.db.createCollection<Row>('together', { validator: { count: { $type: 'number' } } });

test('[D204] finds that wait together are one query, and each has its own row or null', async () => {
  const sent: string[][] = [];
  const spy = Object.assign(Object.create(rows) as typeof rows, {
    find: (filter: { readonly _id: { readonly $in: string[] } }) => {
      sent.push(filter._id.$in);
      return rows.find(filter);
    },
  });
  await rows.insertMany([
    { _id: 'a', count: 1 },
    { _id: 'b', count: 2 },
  ]);
  const find = createFinds(CLOCK)(spy);
  const found = await Promise.all([find('a'), find('b'), find('nobody'), find('b')]);
  expect(found.map((row) => row?.count ?? null)).toEqual([1, 2, null, 2]);
  expect(sent).toEqual([['a', 'b', 'nobody']]);
});

test('[D204] finds by another unique field are one query too, and see only the rows that count', async () => {
  await rows.insertMany([
    { _id: 'open', name: 'ada', count: 1 },
    { _id: 'closed', name: 'ada', count: 2 },
    { _id: 'other', name: 'bob', count: 2 },
  ]);
  const sent: unknown[] = [];
  const spy = Object.assign(Object.create(rows) as typeof rows, {
    find: (filter: object) => {
      sent.push(filter);
      return rows.find(filter);
    },
  });
  const find = createFinds(CLOCK)(spy, { field: 'name', among: { count: 1 } });
  expect(await Promise.all([find('ada'), find('bob'), find('ada')])).toMatchObject([
    { _id: 'open' },
    null,
    { _id: 'open' },
  ]);
  expect(sent).toEqual([{ count: 1, name: { $in: ['ada', 'bob'] } }]);
});

test('[D204] finds in several collections that wait together are one command, and each has its own row or null', async () => {
  const others = await mongo.db.createCollection<Row>('together_too');
  await rows.insertMany([
    { _id: 'same', name: 'cy', count: 1 },
    { _id: 'named', name: 'dee', count: 7 },
  ]);
  await others.insertMany([
    { _id: 'same', name: 'eve', count: 2 },
    { _id: 'only', count: 3 },
  ]);
  const finds = createFinds(CLOCK);
  const [find, findOther, findNamed] = [
    finds(rows),
    finds(others),
    finds(rows, { field: 'name', among: { count: 7 } }),
  ];
  capture.taken();
  const found = await Promise.all([
    find('same'),
    findOther('same'),
    findOther('only'),
    find('only'),
    findNamed('dee'),
    findNamed('cy'),
  ]);
  expect(found).toEqual([
    { _id: 'same', name: 'cy', count: 1 },
    { _id: 'same', name: 'eve', count: 2 },
    { _id: 'only', count: 3 },
    null,
    { _id: 'named', name: 'dee', count: 7 },
    null,
  ]);
  expect(capture.taken()).toHaveLength(1);
});

test('[D204] a collection that cannot be read fails only its own finds', async () => {
  await rows.insertOne({ _id: 'sound', count: 1 });
  const finds = createFinds(CLOCK);
  const [find, findBadly] = [finds(rows), finds(rows, { field: '_id', among: { $nothing: 1 } as never })];
  const [found, failed] = await Promise.allSettled([find('sound'), findBadly('sound')]);
  expect(found).toEqual({ status: 'fulfilled', value: { _id: 'sound', count: 1 } });
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('$nothing') } });
});

test('[D204] a find sees everything that was stored before it, also during an earlier find', async () => {
  const find = createFinds(CLOCK)(rows);
  const earlier = find('late');
  // The earlier query is under way at the end of this turn.
  await new Promise((resolve) => void setImmediate(resolve));
  await rows.insertOne({ _id: 'late', count: 1 });
  expect(await find('late')).toEqual({ _id: 'late', count: 1 });
  await earlier;
});

test('[D204] a taken key or a refused row keeps no other row out of its group', async () => {
  const insert = createInserts(CLOCK, rows);
  const ids = ['first', 'taken', 'misfit', 'last'];
  await rows.insertOne({ _id: 'taken', count: 7 });
  const results = await Promise.allSettled(
    ids.map((_id, index) => insert({ _id, count: _id === 'misfit' ? ('x' as never) : index })),
  );
  expect(results).toMatchObject([
    { value: true },
    { value: false },
    { status: 'rejected', reason: { code: 121 } },
    { value: true },
  ]);
  expect(results[2]).toHaveProperty('reason.errInfo');
  const stored = rows.find({ _id: { $in: ids } }).sort({ _id: 1 });
  expect(await stored.toArray()).toEqual([
    { _id: 'first', count: 0 },
    { _id: 'last', count: 3 },
    { _id: 'taken', count: 7 },
  ]);
});

test('[D204] rows that no majority has yet are no success, even beside a taken key', async () => {
  const late = { errmsg: 'waiting for replication timed out', code: 64 };
  const taken = new mongodb.MongoBulkWriteError({ message: 'E11000', code: 11_000, writeErrors: [] }, {
    getWriteConcernError: () => late,
  } as mongodb.BulkWriteResult);
  const spy = Object.assign(Object.create(rows) as typeof rows, { insertMany: () => Promise.reject(taken) });
  await expect(createInserts(CLOCK, spy)({ _id: 'x', count: 1 })).rejects.toMatchObject({ code: 64 });
});

test('[D204] if the whole command is refused, no row counts as inserted', async () => {
  const full = new mongodb.MongoServerError({ ok: 0, message: 'the disk is full', code: 14_031 });
  const result = { getWriteConcernError: () => undefined } as mongodb.BulkWriteResult;
  const insertMany = () => Promise.reject(new mongodb.MongoBulkWriteError(full, result));
  const spy = Object.assign(Object.create(rows) as typeof rows, { insertMany });
  await expect(createInserts(CLOCK, spy)({ _id: 'y', count: 1 })).rejects.toMatchObject({ code: 14_031 });
});
