import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { COLLECTIONS } from '../../../src/models/collections.ts';
import { createCommit } from '../../../src/models/commit/commit.ts';
import { connectMongo } from '../../../src/models/connect-mongo.ts';
import type { Clock } from '../../../src/ports/process.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { NOON } from '../../builders.ts';
import { openFailPoints } from '../../engines/fail-points.ts';
import {
  aBirth,
  aChange,
  CLOCK,
  offerToFree,
  openHouse,
  QUIET,
  SETTINGS,
  storeDelivery,
  withdrawing,
} from '../../engines/mongo-house.ts';
import { OFFERS } from '../../../src/models/offers/offer-shapes.ts';

const { appName, fail, heal, hasFailPoints } = await openFailPoints('lost-answers');
// After an invented error the member's state has not changed, so it reports nothing. The driver has to check it.
const house = await openHouse('lost-answers', `appName=${appName}&serverMonitoringMode=poll&heartbeatFrequencyMS=500`);

/** Commits whose deadlines do not depend on the clock. */
const committing = (after: Clock['real']['after']) =>
  createCommit(house.mongo, { ...CLOCK, real: { ...CLOCK.real, after } }, SETTINGS);
/** Commits whose deadlines a test lets pass. */
function committingByHand() {
  const deadlines: (() => void)[] = [];
  const commit = committing((_ms, task) => {
    deadlines.push(task);
    return () => undefined;
  });
  const passDeadlines = (): void => {
    for (const pass of deadlines.splice(0)) pass();
  };
  return { commit, passDeadlines };
}

/** Every answer to a commit is a failure of its write concern, although the commit was applied. */
const UNCONFIRMED = {
  failCommands: ['commitTransaction'],
  writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
};

test.runIf(hasFailPoints)('[S13] a commit whose answer is lost is stored once', async () => {
  for (const times of [1, 3]) {
    const birth = aBirth();
    await fail(times, { failCommands: ['commitTransaction'], closeConnection: true });
    expect(await house.commit(birth)).toEqual({ ok: true, withdrawn: [] });
    expect(await house.eventLog.list(birth.after.id, 0, 10)).toStrictEqual(birth.events);
    const change = aChange(birth.after, { fee: 1 });
    await fail(times, {
      failCommands: ['commitTransaction'],
      writeConcernError: { code: 91, errmsg: 'the primary is going' },
    });
    expect(await house.commit(change)).toEqual({ ok: true, withdrawn: [] });
    expect(await house.deliveries.get(change.after.id)).toStrictEqual(change.after);
  }
});

test.runIf(hasFailPoints)(
  '[D203] births that share a transaction whose answer is lost are each stored once',
  async () => {
    const births = Array.from({ length: 8 }, () => aBirth());
    await fail(2, { failCommands: ['commitTransaction'], closeConnection: true });
    const results = await Promise.all(births.map((birth) => house.commit(birth)));
    expect(results).toEqual(births.map(() => ({ ok: true, withdrawn: [] })));
    for (const { after, events } of births) {
      expect(await house.eventLog.list(after.id, 0, 10)).toStrictEqual(events);
    }
  },
);

test.runIf(hasFailPoints)(
  '[D203] births that share a transaction not stored by the deadline are all refused',
  async () => {
    const births = Array.from({ length: 3 }, () => aBirth());
    await fail(1_000_000, { failCommands: ['commitTransaction'], closeConnection: true });
    const { commit, passDeadlines } = committingByHand();
    // The first birth has a transaction of its own, whose end lets the others share one. Both pass their deadlines.
    const isOver = Promise.all(births.map((birth) => commit(birth).catch((error: unknown) => error)));
    let isDone = false;
    void isOver.then(() => (isDone = true));
    await until(() => {
      passDeadlines();
      return isDone;
    });
    await heal();
    for (const outcome of await isOver) expect(outcome).toMatchObject({ code: 'busy' });
    for (const { after } of births) expect(await house.deliveries.find(after.id)).toBeNull();
  },
);

test.runIf(hasFailPoints)(
  '[D203] births that share a transaction with an unknown outcome are looked up together',
  async () => {
    const [first, ...shared] = [aBirth(), aBirth(), aBirth(), aBirth()];
    await fail(1_000_000, UNCONFIRMED);
    const { commit, passDeadlines } = committingByHand();
    const results = Promise.all([first, ...shared].map((birth) => commit(birth)));
    // The first birth has a transaction of its own. Its deadline lets the others share one.
    for (const births of [[first], shared]) {
      for (const { after } of births) await until(async () => (await house.eventLog.list(after.id, 0, 1)).length > 0);
      passDeadlines();
    }
    expect(await results).toEqual([first, ...shared].map(() => ({ ok: true, withdrawn: [] })));
    await heal();
    for (const { after, events } of shared) {
      expect(await house.eventLog.list(after.id, 0, 10)).toStrictEqual(events);
    }
  },
);

test.runIf(hasFailPoints)('[S13] a commit with an unknown outcome is looked up, not repeated', async () => {
  const delivery = await storeDelivery(house);
  const offer = await offerToFree(house, { deliveryId: delivery.id });
  expect(await house.offers.open(offer)).toBe(true);
  const change = aChange(delivery, { state: 'canceled' }, 'canceled');
  const late = await offerToFree(house, { deliveryId: delivery.id });
  await fail(1_000_000, UNCONFIRMED);
  // No fixed time is certain to be long enough for the write, so the deadline passes once it is stored.
  const { commit, passDeadlines } = committingByHand();
  const stored = until(async () => (await house.eventLog.list(delivery.id, 1, 1)).length === 1);
  const [result] = await Promise.all([
    commit({ ...change, effects: [withdrawing(delivery)] }),
    stored.then(async () => {
      // A leader who read the delivery before the change was stored opens such an offer.
      await house.mongo.collection(OFFERS).insertOne({ _id: late.id, ...late });
      passDeadlines();
      await heal();
    }),
  ]);
  const withdrawn = [offer, late].map(({ id }) => ({ id, state: 'withdrawn' }));
  expect(result).toMatchObject({ ok: true, withdrawn });
  expect(await house.offers.listOpen([delivery.id])).toEqual([]);
  expect(await house.deliveries.get(delivery.id)).toStrictEqual(change.after);
});

test.runIf(hasFailPoints)('[S13] a change not stored by the deadline is refused as busy, without a trace', async () => {
  const delivery = await storeDelivery(house);
  await fail(1_000_000, { failCommands: ['commitTransaction'], closeConnection: true });
  // Nothing is stored, however soon the deadline passes.
  const commit = committing((ms, task) => CLOCK.real.after(ms / 10, task));
  const refused = commit(aChange(delivery, { fee: 1 }));
  await expect(refused).rejects.toSatisfy((error) => error instanceof Refusal && error.code === 'busy');
  await heal();
  // If the abandoned transaction still existed, the driver would send its commit again.
  const next = aChange(delivery, { fee: 2 });
  // On a busy machine the server may still be ending it, which is \`busy\` as well.
  const isStored = () =>
    house.commit(next).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isStored);
  expect(await house.eventLog.list(delivery.id, 0, 10)).toHaveLength(2);
});

/** The errors of a member that is not primary any more, stops, starts, cannot reach the others, or is too slow. */
const FAILOVER_CODES = [6, 7, 43, 50, 64, 89, 91, 133, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

test.runIf(hasFailPoints)(
  '[S45] each error that the database reports during a failover is refused as busy',
  async () => {
    const [delivery] = await Promise.all(Array.from({ length: 102 }, () => storeDelivery(house)));
    if (delivery === undefined) throw new Error('there are 102');
    const answerTo = async (command: string, errorCode: number, work: () => Promise<unknown>): Promise<unknown> => {
      // After some of these errors the driver waits for the server's next message.
      await until(() => house.mongo.isReady());
      await fail(2, { failCommands: [command], errorCode });
      const answer: unknown = await work().catch((error: unknown) => error);
      await heal();
      return answer;
    };
    const busy = { code: 'busy', message: expect.stringContaining('may have been made') };
    // The driver tries each read and write twice, and each later part of a long answer once.
    for (const code of FAILOVER_CODES) {
      const reads102 = () => house.deliveries.listChangedSince(0, 102);
      expect([code, await answerTo('getMore', code, reads102)]).toMatchObject([code, busy]);
    }
    const reads = () => house.deliveries.get(delivery.id);
    expect(await answerTo('find', 11602, reads)).toMatchObject(busy);
    expect(await answerTo('find', 2, reads)).toMatchObject({ code: 2, name: 'MongoServerError' });
    const writes = () => house.couriers.setAvailability({ id: newId('cou'), version: 1 }, 'online', NOON, null);
    expect(await answerTo('findAndModify', 189, writes)).toMatchObject(busy);
  },
);

test.runIf(hasFailPoints)(
  '[S45] commits whose connections all close at once are stored or refused as busy',
  async () => {
    const AT_ONCE = 16;
    const deliveries = await Promise.all(Array.from({ length: AT_ONCE }, () => storeDelivery(house)));
    // The driver labels only the first of these errors. The others come from connections that it has already dropped.
    await fail(AT_ONCE, { failCommands: ['insert'], closeConnection: true });
    const outcomes = await Promise.all(
      deliveries.map((delivery, fee) => house.commit(aChange(delivery, { fee })).catch((error: unknown) => error)),
    );
    await heal();
    for (const outcome of outcomes) {
      expect(outcome).toSatisfy((got) =>
        got instanceof Refusal ? got.code === 'busy' : Reflect.has(Object(got), 'ok'),
      );
    }
  },
);

test.runIf(hasFailPoints)('[S10] a resume point that the log has lost is reported as a gap', async () => {
  let gaps = 0;
  const seen: number[] = [];
  const stop = await house.eventLog.follow(
    ({ sequence }) => void seen.push(sequence),
    () => void (gaps += 1),
  );
  const delivery = await storeDelivery(house);
  await until(() => seen.length === 1);
  await fail(1, { failCommands: ['getMore'], errorCode: 286 });
  await until(() => gaps === 1);
  await house.commit(aChange(delivery, { fee: 1 }));
  await until(() => seen.length === 2);
  expect(seen).toEqual([1, 2]);
  stop();
});

test.runIf(hasFailPoints)('[S24] an index is created even if it takes longer than an answer may take', async () => {
  const url = new URL(testEngines('slow-index').mongoUrl);
  url.searchParams.set('appName', appName);
  await fail(1, { failCommands: ['createIndexes'], blockConnection: true, blockTimeMS: 6000 });
  const mongo = await connectMongo(url.href, QUIET);
  onTestFinished(() => mongo.close());
  for (const { name, indexes } of COLLECTIONS) {
    expect([name, (await mongo.db.collection(name).indexes()).length]).toEqual([name, indexes.length + 1]);
  }
});
