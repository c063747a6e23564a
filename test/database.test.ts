import { expect, test } from 'vitest';
import { CLAIMS } from '../src/models/claim-shape.ts';
import { openDatabase } from './database.ts';
import { keptLog } from './kept-ports.ts';

let last: string;

async function openNext() {
  const { db } = await openDatabase('database', keptLog());
  const before = last;
  last = db.databaseName;
  const claims = db.collection(CLAIMS.name);
  const rows = await claims.countDocuments();
  await claims.insertOne({ _id: 'a claim', of: 'a test' } as never, { bypassDocumentValidation: true });
  return { db, claims, rows, isAgain: last === before };
}

test('[X22] the first test of a worker, or a later one, leaves a row behind', async () => {
  expect((await openNext()).rows).toBe(0);
});

test('[X22] the next test gets the same database without the row, and leaves an index behind', async () => {
  const { claims, rows, isAgain } = await openNext();
  expect([rows, isAgain]).toEqual([0, true]);
  await claims.createIndex({ of: 1 });
});

test('[X22] a database with another index is not used again; the next test leaves a validator behind', async () => {
  const { db, rows, isAgain } = await openNext();
  expect([rows, isAgain]).toEqual([0, false]);
  await db.command({ collMod: CLAIMS.name, validator: {} });
});

test('[X22] a database with another validator is not used again', async () => {
  const { rows, isAgain } = await openNext();
  expect([rows, isAgain]).toEqual([0, false]);
});
