import { expect, test } from 'vitest';
import { inMemory, openRedisNodes } from '../../../load-tests/engines/redis-nodes.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aPosition, CENTER } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { openFor } from '../../engines/redis-topologies.ts';
import { testEngines } from '../../engines.ts';
import { regionOf } from '../../regions.ts';
import { until } from '../../until.ts';
import { aProcess, TICK_MS } from './position-process.ts';

const REGION = regionOf(CENTER);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Two processes, and a courier who was never where a good fix shows them. */
async function twoWithoutPlace({ redisNow }: { readonly redisNow?: () => number } = {}) {
  const at = testEngines('heard');
  const clock = handClock();
  const given = redisNow === undefined ? { at, clock } : { at, clock, redisNow: () => clock.now() + redisNow() };
  const [one, other] = [await aProcess(given), await aProcess(given)];
  const id = newId('cou');
  const recordedAt = async (): Promise<number | null> => {
    const score = await one.redis.commands.zscore(`${one.redis.prefix}heard`, id);
    return score === null ? null : Number(score);
  };
  /** Lets the courier be heard, until it is recorded. */
  const hear = async (): Promise<void> => {
    const before = await recordedAt();
    one.index.touch([id]);
    await clock.advance(TICK_MS);
    await until(async () => (await recordedAt()) !== before);
  };
  const silentMs = async (): Promise<(number | undefined)[]> =>
    Promise.all([one, other].map(async ({ index }) => (await index.silentForMs([id], 0)).get(id)));
  return { one, other, clock, id, hear, silentMs, recordedAt };
}

test('[P23] a courier whose place is unknown counts as heard in every process, and as nowhere', async () => {
  const { one, other, clock, id, hear, silentMs } = await twoWithoutPlace();
  expect(await silentMs()).toEqual([undefined, undefined]);
  await hear();
  expect(await silentMs()).toEqual([0, 0]);
  await clock.advance(MINUTE_MS);
  expect(await silentMs()).toEqual([MINUTE_MS, MINUTE_MS]);
  await hear();
  expect(await silentMs()).toEqual([0, 0]);
  for (const { index } of [one, other]) {
    expect(await index.listPresent([REGION])).toEqual([]);
    expect(await index.find(id)).toBeNull();
  }
});

test('[P23] a connection keeps a courier without a place from silence', async () => {
  const { one, clock, id, silentMs, recordedAt } = await twoWithoutPlace();
  one.index.keepPresent(id);
  let records = 0;
  let last: number | null = null;
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1000);
    const at = await recordedAt();
    if (at !== last) records += 1;
    last = at;
  }
  await until(async () => Math.max(...(await silentMs()).map((ms) => ms ?? Infinity)) <= 6000);
  expect(records).toBeLessThanOrEqual(13);
});

test('[P23] a courier without a place is forgotten after ten minutes of silence', async () => {
  const { clock, hear, silentMs, recordedAt } = await twoWithoutPlace();
  await hear();
  await clock.advance(9 * MINUTE_MS);
  expect(await silentMs()).toEqual([9 * MINUTE_MS, 9 * MINUTE_MS]);
  await clock.advance(2 * MINUTE_MS);
  await until(async () => (await recordedAt()) === null);
  expect(await silentMs()).toEqual([undefined, undefined]);
});

test('[P23] [C3] if the clock of Redis steps back, a courier without a place becomes silent all the same', async () => {
  let differsMs = HOUR_MS;
  const { clock, hear, silentMs, recordedAt } = await twoWithoutPlace({ redisNow: () => differsMs });
  await hear();
  differsMs = 0;
  await clock.advance(MINUTE_MS);
  await until(async () => ((await recordedAt()) ?? Infinity) <= clock.now());
  await clock.advance(MINUTE_MS);
  for (const ms of await silentMs()) expect(ms).toBeGreaterThanOrEqual(MINUTE_MS);
});

test('[P24] a process that hears a courier whom Redis has lost writes the last place that it knows', async () => {
  const nodes = await openFor(openRedisNodes);
  const node = await nodes.start('one', inMemory);
  const clock = handClock();
  const given = { at: { ...testEngines('heard'), keyPrefix: '', redisUrl: `redis://127.0.0.1:${node.port}` }, clock };
  const [gone, here] = [await aProcess(given), await aProcess(given)];
  const position = aPosition();
  gone.index.put(position);
  await gone.tick();
  await until(() => here.index.last(position.courierId) !== null);
  await gone.index.stop();
  await node.kill();
  await node.restart();
  await until(() => here.redis.isReady());
  await until(async () => {
    await clock.advance(1000);
    here.index.touch([position.courierId]);
    return (await here.redis.commands.hexists(`{r:${REGION}}:pos`, position.courierId)) === 1;
  });
  const late = await aProcess(given);
  expect(await late.index.find(position.courierId)).toEqual(position);
  expect(await late.index.listPresent([REGION])).toEqual([position]);
});
