import { expect, test, type TestContext } from 'vitest';
import { addressOf } from '../../load-tests/engines/address.ts';
import { openTcpProxy } from '../../load-tests/engines/tcp-proxy.ts';
import { newId } from '../../src/domain/ids.ts';
import { createClock } from '../../src/clock.ts';
import { followChanges } from '../../src/engines/change-feed.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createStores } from '../../src/models/stores.ts';
import type { Clock, Log } from '../../src/ports/process.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { aBirth, CLOCK, QUIET, SETTINGS } from './mongo-house.ts';

/** A read is tried twice, 5 s each, with 4 s in between to find a server. The rest is for a busy machine. */
const BOUND_MS = 20_000;

/** Stores whose MongoDB can fail without affecting others, until the test has finished. */
async function openBehindProxy(
  { onTestFinished }: TestContext,
  name: string,
  log: Log = QUIET,
  clock?: Pick<Clock, 'real'>,
) {
  const { mongoUrl } = testEngines(name);
  const proxy = await openTcpProxy(addressOf(mongoUrl));
  const url = new URL(mongoUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  url.search = 'directConnection=true';
  const mongo = await connectMongo(url.href, log, clock);
  onTestFinished(async () => {
    proxy.heal();
    // The engine ends with the run, so a failing drop, on a connection that the outage left behind, must not fail a
    // test.
    await mongo.db.dropDatabase().catch(() => undefined);
    await mongo.close();
    proxy.close();
  });
  return { mongo, proxy, ...createStores(mongo, CLOCK, SETTINGS) };
}

for (const outage of ['cut', 'hang'] as const) {
  test.concurrent(`[S26] while the database is away (${outage}) stores refuse busy, and work again afterwards`, async (context) => {
    const house = await openBehindProxy(context, `outage-${outage}`);
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

test.concurrent.for(['cut', 'hang'] as const)(
  '[R21] an outage of the database (%s) is reported by its cause and its length, and in no other words',
  async (outage, context) => {
    const log = keptLog();
    const { mongo, proxy, commit } = await openBehindProxy(context, `outage-log-${outage}`, log, createClock());
    const halt = new AbortController();
    context.onTestFinished(() => halt.abort());
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
    proxy[outage]();
    await until(() => log.lines.length > 0);
    await expect(commit(aBirth())).rejects.toMatchObject({ code: 'busy' });
    proxy.heal();
    await until(() => log.lines.length > 1);
    expect(log.lines).toMatchObject([
      {
        fields: { cause: expect.stringMatching(/^no primary answers within 1 s; 127\.0\.0\.1:\d+/) },
        message: 'MongoDB is away',
      },
      { fields: { lastedS: expect.any(Number) }, message: 'MongoDB is back' },
    ]);
  },
);

test.concurrent('[R21] two looks at the same moment count as one', async (context) => {
  const log = keptLog();
  const { real } = createClock();
  const looks: (() => void)[] = [];
  const every = (_ms: number, look: () => void) => {
    looks.push(look);
    return () => {};
  };
  const { mongo, proxy } = await openBehindProxy(context, 'outage-looks', log, { real: { ...real, every } });
  proxy.hang();
  for (const look of [...looks, ...looks]) look();
  expect(await mongo.isReady()).toBe(false);
  proxy.heal();
  await until(() => mongo.isReady());
  for (const look of looks) look();
  await mongo.isReady();
  expect([looks.length, log.lines]).toEqual([1, []]);
});
