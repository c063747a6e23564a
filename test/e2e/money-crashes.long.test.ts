import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { KillPoint } from '../../load-tests/servers/kill-at.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { ENTRIES, HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_PAYMENTS } from '../../src/models/sandbox/sandbox-shape.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { call, type Answer } from './client.ts';

import { startServer, type TestServer } from './servers.ts';

const KILL_AT = pathToFileURL(path.resolve(import.meta.dirname, '../../load-tests/servers/kill-at.ts')).href;
const AMOUNT = 10_000;
/** Time runs ten times as fast, and a lost callback is noticed after a second of it. */
const SETTINGS = { CLOCK_SCALE: '10', TOPUPS_FIRST_LOOK_MS: '1000' };
const PATIENCE_MS = 120_000;

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

/** A server that dies at the point, and its successor as soon as it is dead. Each step is repeated until it succeeds. */
async function openTroubled(name: string, point: KillPoint) {
  const engines = testEngines(name);
  // The first server makes the demo, whose own money would reach the point.
  const first = await startServer(engines, SETTINGS);
  await untilSettled(engines.mongoUrl);
  await first.stop();
  const env = { ...SETTINGS, NODE_OPTIONS: `--import ${KILL_AT}`, KILL_AT: JSON.stringify(point) };
  let server: TestServer = await startServer(engines, env);
  let isReplaced = false;
  const ask = async (route: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const token = server.demo.vendor.api_key;
    try {
      return await call(server.baseUrl, route, { token, headers, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      if (isReplaced) throw error;
      isReplaced = true;
      server = await startServer(engines, SETTINGS);
      return ask(route, body, headers);
    }
  };
  return { engines, ask, isReplaced: () => isReplaced, demo: () => server.demo, stop: () => server.stop() };
}

/** Waits until the money of the demo is in its wallet and in the chain, and its payment has been reported. */
async function untilSettled(mongoUrl: string): Promise<void> {
  const mongo = await connectMongo(mongoUrl, keptLog());
  const [entries, payments] = [mongo.collection(ENTRIES), mongo.collection(SANDBOX_PAYMENTS)];
  await until(async () => {
    const sealed = await entries.countDocuments({ kind: 'top_up', due: { $exists: false } });
    return sealed === 1 && (await payments.countDocuments({ noticeAt: { $exists: true } })) === 0;
  }, PATIENCE_MS);
  await mongo.close();
}

test.each(POINTS)('[J163] a process that is killed %s loses and doubles no money', async (moment, point) => {
  const number = POINTS.findIndex(([each]) => each === moment);
  const { engines, ask, isReplaced, demo, stop } = await openTroubled(`money-crash-${number}`, point);
  let topUp: Record<string, unknown> = {};
  // The key of a request that died is free again after a while.
  await until(async () => {
    const answer = await ask('POST /wallets/fund', { amount: AMOUNT }, { 'idempotency-key': 'one' });
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
  const { center, vendor } = demo();
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const made = await ask('POST /deliveries', {
    external_id: 'one',
    pickup: { location_id: vendor.location_id },
    drop_off: [{ coordinates: { lat: center.lat + 0.01, lng: center.lng }, contact }],
    test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 1000 } },
  });
  const { id, fee } = made.body;
  const ended = async () => (await ask(`GET /deliveries/${String(id)}`)).body['status'] === 'delivered';
  await until(ended, PATIENCE_MS);
  expect(isReplaced()).toBe(true);
  const { body: balance } = await ask('GET /wallets/balance');
  await stop();
  const mongo = await connectMongo(engines.mongoUrl, keptLog());
  const ids = [`charge:${String(id)}`, `top_up:${String(topUp['id'])}`];
  const entries = await mongo.collection(ENTRIES).countDocuments({ _id: { $in: ids } });
  const paid = await mongo.collection(SANDBOX_PAYMENTS).countDocuments({ _id: String(topUp['id']), status: 'paid' });
  const open = await mongo.collection(HOLDS).countDocuments({ state: 'open' });
  const check = await verifyLedger(mongo, () => undefined);
  await mongo.close();
  expect(balance).toMatchObject({ available: before + AMOUNT - Number(fee), held: 0, pending: 0 });
  expect([entries, paid, open]).toEqual([2, 1, 0]);
  expect(check).toMatchObject({ ok: true, faults: [] });
});
