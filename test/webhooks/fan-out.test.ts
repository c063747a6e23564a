import { mongo as mongodb } from 'mongoose';
import { expect, test } from 'vitest';
import { newId, type RegistrationId } from '../../src/domain/ids.ts';
import { startSending } from '../../src/webhooks/send-attempts.ts';
import { storeDelivery } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { openWebhooks } from './house.ts';
import { EVENTS_LOG } from '../../src/models/deliveries/events/event-rows.ts';
import { ATTEMPTS } from '../../src/models/webhooks/webhook-shapes.ts';

const { house, state, needs, register, attempts, rules } = await openWebhooks('fan-out');
const events = house.mongo.db.collection<{ _id: string; type: string; webhooks: string }>(EVENTS_LOG.name);

test('[W34] a long backlog of events delays no attempt that is due', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  await storeDelivery(house, { vendorId });
  const ctx = needs();
  await ctx.webhooks.fanOut(100);
  let batches = 0;
  const fanOut: typeof ctx.webhooks.fanOut = async (limit) => {
    batches += 1;
    // A backlog that does not end before the attempt is sent.
    await until(() => batches === 1 || state.received.length > 0);
    return { events: state.received.length > 0 ? 0 : limit, attempts: 0 };
  };
  const sending = startSending({ ...ctx, webhooks: { ...ctx.webhooks, fanOut } }, rules);
  await until(() => state.received.length === 1);
  await sending.stop();
  expect(batches).toBeGreaterThan(0);
});

test('[W10] events whose attempts could not be stored stay due', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  await storeDelivery(house, { vendorId });
  const lost = new mongodb.MongoBulkWriteError(
    new mongodb.MongoNetworkError('the connection was lost') as never,
    {
      getWriteConcernError: () => undefined,
    } as mongodb.BulkWriteResult,
  );
  const broken = {
    ...house.mongo,
    collection: ((of: Parameters<typeof house.mongo.collection>[0]) => {
      const rows = house.mongo.collection(of);
      const insertMany = () => Promise.reject(lost);
      return of.name === ATTEMPTS.name ? Object.assign(Object.create(rows) as typeof rows, { insertMany }) : rows;
    }) as typeof house.mongo.collection,
  };
  await expect(needs(broken).webhooks.fanOut(100)).rejects.toBe(lost);
  expect(await events.countDocuments({ webhooks: 'due' })).toBe(1);
  expect(await needs().webhooks.fanOut(100)).toEqual({ events: 1, attempts: 1 });
  expect(await attempts.countDocuments()).toBe(1);
});

test('[W34] a claim that takes long delays no events', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  await storeDelivery(house, { vendorId });
  const ctx = needs();
  let isWaiting = false;
  const listWaiting: typeof ctx.webhooks.listWaiting = async () => {
    isWaiting = true;
    await until(async () => (await attempts.countDocuments()) === 2);
    return [];
  };
  const sending = startSending({ ...ctx, webhooks: { ...ctx.webhooks, listWaiting } }, rules);
  await until(() => isWaiting);
  await storeDelivery(house, { vendorId });
  sending.wake();
  await until(async () => (await events.countDocuments({ webhooks: 'due' })) === 0);
  await sending.stop();
  expect(await attempts.countDocuments()).toBe(2);
});

test('[W13] when no registration follows the last one read, the next read begins again at once', async () => {
  const ctx = needs();
  const full = Array.from({ length: 1000 }, () => ({ registrationId: newId('whk'), vendorId: newId('ven') }));
  const reads: (RegistrationId | null)[] = [];
  const listWaiting: typeof ctx.webhooks.listWaiting = async (_now, _limit, after) => {
    reads.push(after);
    return reads.length === 1 ? full : [];
  };
  const claimDue: typeof ctx.webhooks.claimDue = async () => ({ attempts: [], ended: [], isMore: false });
  let polls = 0;
  // Later polls wake nobody.
  const isAnyAttemptDue = async (): Promise<boolean> => (polls += 1) === 1;
  const sending = startSending(
    { ...ctx, webhooks: { ...ctx.webhooks, listWaiting, claimDue, isAnyAttemptDue } },
    rules,
  );
  await until(() => reads.length >= 3);
  await sending.stop();
  expect(reads.slice(0, 3)).toEqual([null, full.at(-1)?.registrationId, null]);
});

test('[W39] after an outage, the log says that the work goes on, although nothing is due any more', async () => {
  const ctx = needs();
  const away = () => Promise.reject(new Error('the database is away'));
  let isAway = true;
  const fanOut: typeof ctx.webhooks.fanOut = () => (isAway ? away() : Promise.resolve({ events: 0, attempts: 0 }));
  const listWaiting: typeof ctx.webhooks.listWaiting = () => (isAway ? away() : Promise.resolve([]));
  const isAnyDue = (): Promise<boolean> => Promise.resolve(isAway);
  const due = { isAnyEventDue: isAnyDue, isAnyAttemptDue: isAnyDue };
  const sending = startSending({ ...ctx, webhooks: { ...ctx.webhooks, ...due, fanOut, listWaiting } }, rules);
  const said = (): string[] => ctx.log.lines.map(({ message }) => message);
  await until(() => said().length === 2);
  isAway = false;
  await until(() => said().length === 4);
  await sending.stop();
  expect(said().slice(0, 2).toSorted()).toEqual([
    'due webhooks wait for the database',
    'new webhooks wait for the database',
  ]);
  expect(said().slice(2).toSorted()).toEqual(['due webhooks go on', 'new webhooks go on']);
});

test('[W35] an event of a type that this version does not know waits for a newer process, and delays no other', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  const newer = await storeDelivery(house, { vendorId });
  await events.updateOne({ _id: `${newer.id}:1` }, { $set: { type: 'delivery.teleported' } });
  const known = await storeDelivery(house, { vendorId });
  const sending = startSending(needs(), rules);
  await until(() => state.received.length > 0);
  await sending.stop();
  expect(state.received.map(({ event }) => event.delivery_id)).toEqual([known.id]);
  expect(await events.findOne({ _id: `${newer.id}:1` })).toMatchObject({ webhooks: 'due' });
});

test('[W35] an attempt whose event cannot be shown fails like a try, and the process goes on', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  const broken = await storeDelivery(house, { vendorId });
  const ctx = needs();
  await ctx.webhooks.fanOut(100);
  await events.updateOne({ _id: `${broken.id}:1` }, { $set: { type: 'delivery.teleported' } });
  const sending = startSending(ctx, rules);
  await until(async () => (await attempts.findOne({ 'log.0': { $exists: true } })) !== null);
  await sending.stop();
  expect(await attempts.findOne({})).toMatchObject({ state: 'due', number: 1, log: [{ status: null }] });
  expect(ctx.log.lines.map(({ message }) => message)).toEqual(['a webhook failed and will be retried']);
});
