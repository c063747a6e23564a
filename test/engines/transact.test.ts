import { mongo as mongodb } from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { areDuplicateKeys } from '../../src/engines/mongo.ts';
import { transact } from '../../src/engines/transact.ts';
import { CLAIMS } from '../../src/models/claim-shape.ts';
import { CLOCK, openHouse } from './mongo-house.ts';

test('[D205] a transaction that conflicts with another one says so, and is run again', async () => {
  const { mongo } = await openHouse('transact');
  const rows = mongo.collection(CLAIMS);
  await rows.insertOne({ _id: 'wanted', fact: 'wanted', holder: 'nobody' } as never);
  const other = mongo.connection.getClient().startSession();
  onTestFinished(() => other.endSession());
  other.startTransaction();
  await rows.updateOne({ _id: 'wanted' }, { $set: { holder: 'other' } } as never, { session: other });
  let conflicts = 0;
  const onConflict = (): void => {
    conflicts += 1;
    // The driver ends a transaction that is over already without a complaint.
    void other.commitTransaction().catch(() => undefined);
  };
  const take = { $set: { holder: 'this' } } as never;
  await transact(mongo, CLOCK, (session) => rows.updateOne({ _id: 'wanted' }, take, { session }), { onConflict });
  expect(conflicts).toBeGreaterThan(0);
  expect(await rows.findOne({ _id: 'wanted' })).toMatchObject({ holder: 'this' });
  let calls = 0;
  await transact(mongo, CLOCK, (session) => rows.updateOne({ _id: 'wanted' }, take, { session }), {
    onConflict: () => (calls += 1),
  });
  expect(calls).toBe(0);
});

test('[D205] a conflict of a write of several rows is no taken key, and the transaction is run again', async () => {
  const { mongo } = await openHouse('transact several');
  const rows = mongo.collection(CLAIMS);
  await rows.insertOne({ _id: 'wanted', fact: 'wanted', holder: 'nobody' } as never);
  const other = mongo.connection.getClient().startSession();
  onTestFinished(() => other.endSession());
  other.startTransaction();
  await rows.updateOne({ _id: 'wanted' }, { $set: { holder: 'other' } } as never, { session: other });
  let conflicts = 0;
  const onConflict = (): void => {
    conflicts += 1;
    void other.commitTransaction().catch(() => undefined);
  };
  const update = { updateOne: { filter: { _id: 'wanted' }, update: { $set: { holder: 'this' } } as never } };
  const work = async (session: mongodb.ClientSession): Promise<void> => {
    const failed = await rows.bulkWrite([update], { session }).then(
      () => null,
      (error: unknown) => error,
    );
    if (failed === null) return;
    expect(areDuplicateKeys(failed)).toBe(false);
    throw failed;
  };
  await transact(mongo, CLOCK, work, { onConflict });
  expect(conflicts).toBeGreaterThan(0);
  expect(await rows.findOne({ _id: 'wanted' })).toMatchObject({ holder: 'this' });
});
