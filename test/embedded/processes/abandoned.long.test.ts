import { mongo } from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { startWorkClock } from '../../work-clock.ts';
import { start, temporaryDir } from '../house.ts';

const MOST_MS = 15_000;

test('[Z17] a transaction that a killed process left open is ended, and others can write its documents', async () => {
  const { mongoUrl } = await start({ dataDir: temporaryDir() });
  const [victim, other] = [await mongo.MongoClient.connect(mongoUrl), await mongo.MongoClient.connect(mongoUrl)];
  onTestFinished(async () => {
    await Promise.all([victim.close(), other.close()]);
  });
  const rows = other.db().collection<{ _id: string; by: string }>('rows');
  await rows.insertOne({ _id: 'delivery', by: 'nobody' });
  // For the database, a killed process is one that sends nothing more.
  const session = victim.startSession();
  session.startTransaction();
  await victim
    .db()
    .collection<{ _id: string; by: string }>('rows')
    .updateOne({ _id: 'delivery' }, { $set: { by: 'victim' } }, { session });
  const workedMs = await startWorkClock();
  await rows.updateOne({ _id: 'delivery' }, { $set: { by: 'other' } });
  expect(workedMs()).toBeLessThan(MOST_MS);
  expect(await rows.findOne({ _id: 'delivery' })).toMatchObject({ by: 'other' });
});
