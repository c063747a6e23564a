import { expect, test } from 'vitest';
import { readConfirmed } from '../../src/engines/read-confirmed.ts';
import { CLAIMS } from '../../src/models/claim-shape.ts';
import { openHouse } from './mongo-house.ts';

/** The driver would otherwise wait at most 5 s for any answer. */
const SLOW_MS = 5500;
const SLOW = { $function: { body: `function () { sleep(${SLOW_MS}); return true; }`, args: [], lang: 'js' } };

test('[J194] the driver waits as long for a confirmed read as the read may take', async () => {
  const { mongo } = await openHouse('read-confirmed');
  const rows = mongo.collection(CLAIMS);
  await rows.insertOne({ _id: 'slow', fact: 'slow', holder: 'nobody' } as never);
  const count = (options: object) => rows.aggregate([{ $match: { $expr: SLOW } }], options).toArray();
  expect(await readConfirmed(mongo, count, 60_000)).toHaveLength(1);
});
