import { afterAll, expect, test } from 'vitest';
import type { KillPoint } from '../../load-tests/servers/kill-at.ts';
import { ENTRIES, HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_PAYMENTS } from '../../src/models/sandbox/sandbox-shape.ts';
import { until } from '../until.ts';
import type { Answer } from './client.ts';
import { openScenery, PATIENCE_MS } from './troubled.ts';

const AMOUNT = 10_000;
/** Time runs ten times as fast, and a lost callback is noticed after a second of it. */
const SETTINGS = { CLOCK_SCALE: '10', TOP_UPS_FIRST_LOOK_MS: '1000' };

/** The moments at which the process dies: when a top-up is reserved, asked for, recorded, paid, reported and credited. */
// One row per line: this is a table.
// oxfmt-ignore
const POINTS: readonly (readonly [string, KillPoint])[] = [
  ['before a top-up is stored',              { when: 'before', what: 'write',  collection: 'top_ups',          text: '"pending"' }],
  ['after a top-up is stored',               { when: 'after',  what: 'commit', collection: 'top_ups',          text: '"pending"' }],
  ['before the gateway hears of it',         { when: 'before', what: 'write',  collection: 'sandbox_payments', text: '"open"' }],
  ['before the gateway answers',             { when: 'after',  what: 'write',  collection: 'sandbox_payments', text: '"open"' }],
  ['before the answer is recorded',          { when: 'before', what: 'write',  collection: 'top_ups',          text: '"checkout":{' }],
  ['after the answer is recorded',           { when: 'after',  what: 'write',  collection: 'top_ups',          text: '"checkout":{' }],
  ['when the payer has paid',                { when: 'after',  what: 'write',  collection: 'sandbox_payments', text: '"status":"paid"' }],
  ['when the callback has come',             { when: 'after',  what: 'write',  collection: 'top_ups',          text: '"looks":0,"isPaid"' }],
  ['when the top-up is claimed for a look',  { when: 'after',  what: 'write',  collection: 'top_ups',          text: '"$inc":{"looks"' }],
  ['before the credit is written',           { when: 'before', what: 'write',  collection: 'ledger_entries',   text: 'top_up:' }],
  ['before the credit is committed',         { when: 'before', what: 'commit', collection: 'ledger_entries',   text: 'top_up:' }],
  ['after the credit is committed',          { when: 'after',  what: 'commit', collection: 'ledger_entries',   text: 'top_up:' }],
  ['after the top-up has ended',             { when: 'after',  what: 'write',  collection: 'top_ups',          text: '"state":"succeeded"' }],
  ['before the credit is sealed',            { when: 'before', what: 'commit', collection: 'ledger_seals',     text: 'top_up:' }],
  ['after the credit is sealed',             { when: 'after',  what: 'commit', collection: 'ledger_seals',     text: 'top_up:' }],
  ['before a hold is written',               { when: 'before', what: 'write',  collection: 'ledger_holds',     text: 'insertOne' }],
  ['before a create is committed',           { when: 'before', what: 'commit', collection: 'ledger_holds',     text: 'insertOne' }],
  ['after a create is committed',            { when: 'after',  what: 'commit', collection: 'ledger_holds',     text: 'insertOne' }],
  ['before the charge is written',           { when: 'before', what: 'write',  collection: 'ledger_entries',   text: 'charge:' }],
  ['before the end is committed',            { when: 'before', what: 'commit', collection: 'ledger_entries',   text: 'charge:' }],
  ['after the end is committed',             { when: 'after',  what: 'commit', collection: 'ledger_entries',   text: 'charge:' }],
];

const nothing = (): Promise<void> => Promise.resolve();
const { demo, mongo, start } = await openScenery('money-crashes', { settings: SETTINGS, prepare: nothing });
afterAll(() => mongo.close());

test.each(POINTS)('[J163] a process that is killed %s loses and doubles no money', async (moment, point) => {
  const { ask: send, isReplaced, end } = await start(point);
  const name = moment.replaceAll(' ', '-');
  const ask = (route: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
    send(route, { token: demo.vendor.api_key, headers, ...(body === undefined ? {} : { body }) });
  let topUp: Record<string, unknown> = {};
  // The key of a request that died is free again after a while.
  await until(async () => {
    const answer = await ask('POST /wallets/fund', { amount: AMOUNT }, { 'idempotency-key': name });
    topUp = answer.body;
    return answer.status === 202;
  }, PATIENCE_MS);
  const page = new URL(String(topUp['authorization_url'])).pathname;
  const before = Number((await ask('GET /wallets/balance')).body['available']);
  await ask(`POST ${page}/pay`);
  await until(
    async () => (await ask(`GET /wallets/top-ups/${String(topUp['id'])}`)).body['status'] === 'succeeded',
    PATIENCE_MS,
  );
  const { center, vendor } = demo;
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const made = await ask('POST /deliveries', {
    external_id: name,
    pickup: { location_id: vendor.location_id },
    drop_off: [{ coordinates: { lat: center.lat + 0.01, lng: center.lng }, contact }],
    test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 1000 } },
  });
  const { id, fee } = made.body;
  const ended = async () => (await ask(`GET /deliveries/${String(id)}`)).body['status'] === 'delivered';
  // A dying server may still report the end that it has just committed.
  await until(async () => (await ended()) && isReplaced(), PATIENCE_MS);
  const { body: balance } = await ask('GET /wallets/balance');
  const ids = [`charge:${String(id)}`, `top_up:${String(topUp['id'])}`];
  const stored = await end(async () => ({
    entries: await mongo.collection(ENTRIES).countDocuments({ _id: { $in: ids } }),
    paid: await mongo.collection(SANDBOX_PAYMENTS).countDocuments({ _id: String(topUp['id']), status: 'paid' }),
    open: await mongo.collection(HOLDS).countDocuments({ state: 'open' }),
    check: await verifyLedger(mongo, () => undefined),
  }));
  expect(balance).toMatchObject({ available: before + AMOUNT - Number(fee), held: 0, pending: 0 });
  expect(stored).toMatchObject({ entries: 2, paid: 1, open: 0, check: { ok: true, faults: [] } });
});
