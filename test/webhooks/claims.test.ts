import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { startSending } from '../../src/webhooks/send-attempts.ts';
import { storeDelivery } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { answering, openWebhooks } from './house.ts';
import { ODD } from '../odd-rows.ts';

const { house, state, needs, register, attempts, rules } = await openWebhooks('claims');
const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;

/** An attempt that is due, of a registration of its own. */
async function anAttempt() {
  const vendorId = newId('ven');
  const registration = await register(vendorId);
  await storeDelivery(house, { vendorId });
  const ctx = needs();
  await ctx.webhooks.fanOut(100);
  const claim = () => ctx.webhooks.claimDue(registration.id, { now: state.now, leaseMs: LEASE_MS, limit: 10 });
  return { ...ctx, registration, claim };
}

/** The same, but the sender looks each 25 ms for attempts that are due. */
function oftenLooking<Ctx extends ReturnType<typeof needs>>(ctx: Ctx): Ctx {
  const { real } = ctx.clock;
  const often: typeof real.every = (ms, work) => real.every(ms / 40, work);
  return { ...ctx, clock: { ...ctx.clock, real: { ...real, everyTogether: often } } };
}

/** Sends, and goes on to the next try as soon as the one before is recorded, until the attempt is through. */
async function sendToTheEnd(ctx: ReturnType<typeof needs>): Promise<void> {
  const sending = startSending(oftenLooking(ctx), rules);
  let recorded = -1;
  await until(async () => {
    const row = await attempts.findOne({});
    if (row?.state !== 'due') return true;
    if (row.log.length > recorded) state.now = Math.max(state.now, row.dueAt);
    recorded = row.log.length;
    sending.wake();
    return false;
  });
  await sending.stop();
}

test('[W30] attempts whose senders end before a request keep all ten tries', async () => {
  const { claim, ...ctx } = await anAttempt();
  for (let ended = 0; ended < 5; ended += 1) {
    await claim();
    state.now += DAY_MS;
  }
  state.answer = answering(500);
  await sendToTheEnd(ctx);
  expect(state.received).toHaveLength(10);
  expect(ctx.log.lines.map(({ fields }) => fields)).toMatchObject(
    // A registration has five lines a minute.
    Array.from({ length: 5 }, (_, index) => ({ attempt_number: index + 1, status: 500 })),
  );
  expect(await attempts.findOne({})).toMatchObject({ state: 'failed', number: 10 });
});

/** The same database, where a command of a collection is carried out and its answer is lost. */
function forgetful(lost: { readonly name: string; readonly method: string; times: number }): Mongo {
  return {
    ...house.mongo,
    collection: (of) => {
      const collection = house.mongo.collection(of);
      if (of.name !== lost.name) return collection as never;
      return new Proxy(collection, {
        get: (target, key) => {
          const method: unknown = Reflect.get(target, key);
          if (typeof method !== 'function') return method;
          return (...given: unknown[]) => {
            const result: unknown = Reflect.apply(method, target, given);
            if (key !== lost.method || lost.times === 0) return result;
            lost.times -= 1;
            if (result instanceof Promise) return result.then(() => Promise.reject(new Error('the answer is lost')));
            throw new Error('the answer is lost');
          };
        },
      }) as never;
    },
  };
}

test.each([
  { what: 'the events cannot be read', name: 'events', method: 'find' },
  { what: 'the answer of the claim is lost', name: 'attempts', method: 'updateMany' },
] as const)('[W30] claims that fail use up no tries and are sent as soon as they succeed: $what', async (point) => {
  const { claim } = await anAttempt();
  const lost = { ...point, times: 25 };
  const ctx = oftenLooking(needs(forgetful(lost)));
  // The first claim that succeeds sends at once.
  state.answer = answering(500);
  const sending = startSending(ctx, rules);
  await until(() => {
    sending.wake();
    return lost.times === 0;
  });
  await until(async () => {
    sending.wake();
    return (await attempts.findOne({ 'log.0': { $exists: true } })) !== null;
  });
  await sending.stop();
  // The clock stood still: what was leased was given back, and did not wait for the end of its lease.
  expect(state.received).toHaveLength(1);
  expect(await attempts.findOne({})).toMatchObject({ number: 1, claims: 1, log: [{ status: 500 }] });
  expect((await claim()).attempts).toEqual([]);
});

test('[W31] an attempt whose senders all end before its result ends after ten claims, which come ever later', async () => {
  const { claim, log, registration, ...ctx } = await anAttempt();
  const waits: number[] = [];
  for (let claims = 0; claims < 10; claims += 1) {
    const [attempt] = (await claim()).attempts;
    expect(attempt?.number).toBe(1);
    expect((await claim()).attempts).toEqual([]);
    const { dueAt = 0 } = (await attempts.findOne({})) ?? {};
    waits.push(dueAt - state.now);
    state.now = dueAt;
  }
  const leases = waits.map((_, lost) => LEASE_MS * 2 ** lost);
  expect(waits.filter((wait, lost) => wait < (leases[lost] ?? 0) || wait > 1.5 * (leases[lost] ?? 0))).toEqual([]);
  const sending = startSending({ ...ctx, log }, rules);
  await until(async () => (await attempts.findOne({ state: 'failed' })) !== null);
  await sending.stop();
  expect(state.received).toEqual([]);
  const error = '10 senders ended before they recorded a result';
  expect(await attempts.findOne({})).toMatchObject({ number: 0, log: [{ status: null, error }] });
  expect(log.lines.map(({ fields, message }) => ({ ...fields, message }))).toMatchObject([
    { message: 'a webhook ended without a try', registration_id: registration.id, error },
  ]);
});

test('[W31] a recorded result makes up for the claims before it that led to none', async () => {
  const { claim, webhooks } = await anAttempt();
  for (let lost = 0; lost < 5; lost += 1) {
    await claim();
    state.now += DAY_MS;
  }
  const [attempt] = (await claim()).attempts;
  if (attempt === undefined) throw new Error('the attempt is due');
  const outcome = { at: state.now, status: 500, tookMs: 1, error: '$answered 500', response: '$response' };
  await webhooks.record(attempt.lease, outcome, state.now);
  expect(await attempts.findOne({})).toMatchObject({ number: 1, log: [outcome] });
  expect((await claim()).attempts).toMatchObject([{ number: 2 }]);
  const { dueAt = 0 } = (await attempts.findOne({})) ?? {};
  expect(dueAt - state.now).toBeLessThanOrEqual(1.5 * LEASE_MS);
});

test('[W31] the lease of an attempt of which an older version counted no claims is a whole one', async () => {
  const { claim } = await anAttempt();
  await attempts.updateOne({}, { $set: { number: 4 }, $unset: { claims: '' } }, ODD);
  expect((await claim()).attempts).toMatchObject([{ number: 5 }]);
  const row = await attempts.findOne({});
  expect(row).toMatchObject({ number: 4, claims: 5 });
  expect(row?.dueAt).toBeGreaterThanOrEqual(state.now + LEASE_MS);
});

test('[W32] a failure that comes after its lease leaves the attempt to its next sender, a success ends it', async () => {
  const { claim, webhooks } = await anAttempt();
  const outcome = { at: state.now, status: 500, tookMs: 1, error: 'answered 500', response: '' };
  const [first] = (await claim()).attempts;
  state.now += 2 * LEASE_MS;
  const [second] = (await claim()).attempts;
  if (first === undefined || second === undefined) throw new Error('the attempt is due');
  await webhooks.record(first.lease, outcome, state.now);
  expect((await claim()).attempts).toEqual([]);
  await webhooks.record(first.lease, { ...outcome, status: 200, error: null }, null);
  await webhooks.record(second.lease, outcome, state.now);
  expect((await claim()).attempts).toEqual([]);
  expect(await attempts.findOne({})).toMatchObject({ state: 'done', number: 1, log: [{ status: 200 }] });
});

test.each([
  { gone: 'registrations', error: 'the registration was removed' },
  { gone: 'events', error: 'the event was removed' },
] as const)('[W33] an attempt without its $gone ends as failed, and leaves a log line', async ({ gone, error }) => {
  const { log, registration, ...ctx } = await anAttempt();
  await house.mongo.db.collection(gone).deleteMany({});
  const sending = startSending({ ...ctx, log }, rules);
  await until(async () => (await attempts.findOne({ state: 'failed' })) !== null);
  await sending.stop();
  expect(state.received).toEqual([]);
  const row = await attempts.findOne({});
  expect(row).toMatchObject({ number: 0, log: [{ status: null, error }], endsOn: expect.any(Date) as Date });
  const vendorId = gone === 'registrations' ? null : registration.vendorId;
  expect(log.lines.map(({ level, fields }) => ({ level, ...fields }))).toEqual([
    { level: 'warn', registration_id: registration.id, vendor_id: vendorId, attempt_id: row?.attemptId, error },
  ]);
});
