import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createClock } from '../../src/clock.ts';
import { followChanges } from '../../src/engines/change-feed.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createStores } from '../../src/models/stores.ts';
import type { Log } from '../../src/ports/process.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { aBirth, CLOCK, QUIET, SETTINGS } from './mongo-house.ts';
import { redisProxy } from './redis-proxy.ts';

/** A read is tried twice, 5 s each, with 4 s in between to find a server. The rest is for a busy machine. */
const BOUND_MS = 20_000;

/** Stores whose MongoDB can fail without affecting others. */
async function openBehindProxy(name: string, log: Log = QUIET) {
  const { mongoUrl } = testEngines(name);
  const proxy = await redisProxy(mongoUrl);
  const url = new URL(mongoUrl);
  url.host = new URL(proxy.url).host;
  url.search = 'directConnection=true';
  const mongo = await connectMongo(url.href, log);
  onTestFinished(async () => {
    proxy.heal();
    // The engine ends with the run, so a failing drop, on a connection that the outage left behind, must not fail a
    // test.
    await mongo.db.dropDatabase().catch(() => undefined);
    await mongo.close();
  });
  return { mongo, proxy, ...createStores(mongo, CLOCK, SETTINGS) };
}

for (const outage of ['cut', 'hang'] as const) {
  test.concurrent(`[S26] while the database is away (${outage}) stores refuse busy, and work again afterwards`, async () => {
    const house = await openBehindProxy(`outage-${outage}`);
    const birth = aBirth();
    await house.commit(birth);
    house.proxy[outage]();
    const workedMs = await startWorkClock();
    const busy = { code: 'busy' };
    await Promise.all([
      expect(house.deliveries.get(birth.after.id)).rejects.toMatchObject(busy),
      expect(house.couriers.find(newId('cou'))).rejects.toMatchObject(busy),
      expect(house.eventLog.list(birth.after.id, 0, 10)).rejects.toMatchObject(busy),
      expect(house.commit(aBirth())).rejects.toMatchObject(busy),
      expect(house.mongo.isReady()).resolves.toBe(false),
    ]);
    expect(workedMs()).toBeLessThan(BOUND_MS);
    house.proxy.heal();
    await until(() => house.mongo.isReady());
    expect(await house.deliveries.get(birth.after.id)).toStrictEqual(birth.after);
  });
}

test.concurrent('[R21] an outage of the database is reported by its cause and its length, and in no other words', async () => {
  const log = keptLog();
  const { mongo, proxy, commit } = await openBehindProxy('outage-log', log);
  const halt = new AbortController();
  const stopWatching = mongo.watch(createClock());
  onTestFinished(() => {
    stopWatching();
    halt.abort();
  });
  const feed = {
    mongo,
    clock: CLOCK,
    of: COURIERS,
    stages: [],
    onChange: () => {},
    onGap: () => {},
    halt: halt.signal,
  };
  await followChanges(feed);
  proxy.cut();
  await until(() => log.lines.length > 0);
  await expect(commit(aBirth())).rejects.toMatchObject({ code: 'busy' });
  proxy.heal();
  await until(() => log.lines.length > 1);
  expect(log.lines).toMatchObject([
    {
      fields: { cause: expect.stringMatching(/^no primary answers within 1 s; 127\.0\.0\.1:\d+: ./) },
      message: 'MongoDB is away',
    },
    { fields: { lastedS: expect.any(Number) }, message: 'MongoDB is back' },
  ]);
});
