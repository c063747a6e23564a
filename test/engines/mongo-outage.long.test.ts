import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createStores } from '../../src/models/stores.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { aBirth, CLOCK, QUIET, SETTINGS } from './mongo-house.ts';
import { redisProxy } from './redis-proxy.ts';

/** A read is tried twice, 5 s each, with 4 s in between to find a server. The rest is for a busy machine. */
const BOUND_MS = 20_000;

/** Stores whose MongoDB can fail without affecting others. */
async function openBehindProxy(name: string) {
  const { mongoUrl } = testEngines(name);
  const proxy = await redisProxy(mongoUrl);
  const url = new URL(mongoUrl);
  url.host = new URL(proxy.url).host;
  url.search = 'directConnection=true';
  const mongo = await connectMongo(url.href, QUIET);
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
