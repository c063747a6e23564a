import { mongo as mongodb } from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { areDuplicateKeys } from '../../src/engines/mongo.ts';
import { OutcomeUnknown, transact } from '../../src/engines/transact.ts';
import { CLAIMS } from '../../src/models/claim-shape.ts';
import { CLOCK, openHouse } from './mongo-house.ts';

const take = { $set: { holder: 'this' } } as never;

/** A row that another transaction has written and keeps until the first conflict. */
async function aWantedRow(name: string) {
  const { mongo } = await openHouse(name);
  const rows = mongo.collection(CLAIMS);
  await rows.insertOne({ _id: 'wanted', fact: 'wanted', holder: 'nobody' } as never);
  const other = mongo.connection.getClient().startSession();
  onTestFinished(() => other.endSession());
  other.startTransaction();
  await rows.updateOne({ _id: 'wanted' }, { $set: { holder: 'other' } } as never, { session: other });
  const seen = { conflicts: 0 };
  const onConflict = (): void => {
    seen.conflicts += 1;
    // The driver ends a transaction that is over already without a complaint.
    void other.commitTransaction().catch(() => undefined);
  };
  return { mongo, rows, seen, onConflict };
}

test('[D205] a transaction that conflicts with another one says so, and is run again', async () => {
  const { mongo, rows, seen, onConflict } = await aWantedRow('transact');
  await transact(mongo, CLOCK, (session) => rows.updateOne({ _id: 'wanted' }, take, { session }), { onConflict });
  expect(seen.conflicts).toBeGreaterThan(0);
  expect(await rows.findOne({ _id: 'wanted' })).toMatchObject({ holder: 'this' });
  let calls = 0;
  await transact(mongo, CLOCK, (session) => rows.updateOne({ _id: 'wanted' }, take, { session }), {
    onConflict: () => (calls += 1),
  });
  expect(calls).toBe(0);
});

test('[D205] a conflict of a write of several rows is no taken key, and the transaction is run again', async () => {
  const { mongo, rows, seen, onConflict } = await aWantedRow('transact several');
  const work = async (session: mongodb.ClientSession): Promise<void> => {
    const [written] = await Promise.allSettled([
      rows.bulkWrite([{ updateOne: { filter: { _id: 'wanted' }, update: take } }], { session }),
    ]);
    if (written.status === 'fulfilled') return;
    expect(areDuplicateKeys(written.reason)).toBe(false);
    throw written.reason;
  };
  await transact(mongo, CLOCK, work, { onConflict });
  expect(seen.conflicts).toBeGreaterThan(0);
  expect(await rows.findOne({ _id: 'wanted' })).toMatchObject({ holder: 'this' });
});

test('[S113] if the driver fails at a commit, the outcome is unknown, but a refused commit is an error', async () => {
  const { mongo } = await openHouse('transact edge');
  const rows = mongo.collection(CLAIMS);
  const failAtCommit = (id: string, error: Error): Promise<void> =>
    transact(mongo, CLOCK, async (session) => {
      await rows.insertOne({ _id: id, fact: id, holder: 'this' } as never, { session });
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw error;
      };
    });
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const lost: unknown = await failAtCommit('lost', closed).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(OutcomeUnknown);
  expect(lost).toMatchObject({ lookMs: expect.any(Number), cause: expect.any(TypeError) });
  expect(await rows.findOne({ _id: 'lost' })).not.toBeNull();
  const refused = new mongodb.MongoServerError({ code: 13, errmsg: 'not authorized' });
  await expect(failAtCommit('refused', refused)).rejects.toBe(refused);
});
