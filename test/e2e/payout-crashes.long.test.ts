import { afterAll, expect, test } from 'vitest';
import type { KillPoint } from '../../load-tests/servers/kill-at.ts';
import { createClock } from '../../src/clock.ts';
import type { CourierId } from '../../src/domain/ids.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { createLedger } from '../../src/models/ledger/ledger-store.ts';
import { ENTRIES } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_TRANSFERS } from '../../src/models/sandbox/sandbox-transfer-store.ts';
import { bookOf, courierAccount } from '../../src/money/ledger/accounts.ts';
import { earn } from '../money/payouts/an-earning.ts';
import { until } from '../until.ts';
import { call, logIn, type Answer } from './client.ts';
import type { TestServer } from './servers.ts';
import { openScenery, PATIENCE_MS } from './troubled.ts';

const PAY = 4321;
/** Each payout waits for a second person. A minute of the sandbox takes six seconds. */
const SETTINGS = { CLOCK_SCALE: '10', PAYOUTS_APPROVAL_AMOUNT: '0' };

/** The end of a payout for each account that the sandbox knows, and the kinds of its entries. */
const ENDS = {
  '00': { status: 'paid', earned: 0, kinds: ['payout', 'payout_paid'] },
  '11': { status: 'failed', earned: PAY, kinds: ['payout', 'payout_return'] },
  '12': { status: 'reversed', earned: PAY, kinds: ['payout', 'payout_paid', 'payout_return'] },
} as const;
type Account = keyof typeof ENDS;

/**
 * The moments at which the process dies: when a payout is asked for, reserved, approved, sent, recorded and sealed. CUR is
 * its currency, because the server also looks again at earlier payouts that were paid.
 */
// One row per line: this is a table.
// oxfmt-ignore
const POINTS: readonly (readonly [string, Account, KillPoint])[] = [
  ['before a batch is stored',                '00', { when: 'before', what: 'write',  collection: 'payout_batches',    text: '"making"' }],
  ['after a batch is stored',                 '00', { when: 'after',  what: 'commit', collection: 'payout_batches',    text: '"making"' }],
  ['before the money is reserved',            '00', { when: 'before', what: 'write',  collection: 'ledger_entries',    text: '"payout:pay_' }],
  ['before the payout is stored',             '00', { when: 'before', what: 'write',  collection: 'payouts',           text: '"awaiting_approval"' }],
  ['before the reserve is committed',         '00', { when: 'before', what: 'commit', collection: 'payouts',           text: '"awaiting_approval"' }],
  ['after the reserve is committed',          '00', { when: 'after',  what: 'commit', collection: 'payouts',           text: '"awaiting_approval"' }],
  ['before the approval is committed',        '00', { when: 'before', what: 'commit', collection: 'payouts',           text: '"state":"pending"' }],
  ['after the approval is committed',         '00', { when: 'after',  what: 'commit', collection: 'payouts',           text: '"state":"pending"' }],
  ['before the payout is marked as sent',     '00', { when: 'before', what: 'commit', collection: 'payouts',           text: '"state":"processing"' }],
  ['before the gateway is called',            '00', { when: 'after',  what: 'commit', collection: 'payouts',           text: '"state":"processing"' }],
  ['before the gateway makes the transfer',   '00', { when: 'before', what: 'write',  collection: 'sandbox_transfers', text: '"pay_' }],
  ['before the gateway answers',              '00', { when: 'after',  what: 'write',  collection: 'sandbox_transfers', text: '"pay_' }],
  ['before the answer is recorded',           '00', { when: 'before', what: 'write',  collection: 'payouts',           text: '"CUR","gateway":"sandbox","state":"paid"' }],
  ['before the transfer is booked',           '00', { when: 'before', what: 'write',  collection: 'ledger_entries',    text: '"payout_paid:pay_' }],
  ['before the transfer is committed',        '00', { when: 'before', what: 'commit', collection: 'ledger_entries',    text: '"payout_paid:pay_' }],
  ['after the transfer is committed',         '00', { when: 'after',  what: 'commit', collection: 'ledger_entries',    text: '"payout_paid:pay_' }],
  ['before the transfer is sealed',           '00', { when: 'before', what: 'commit', collection: 'ledger_seals',      text: '"payout_paid:pay_' }],
  ['after the transfer is sealed',            '00', { when: 'after',  what: 'commit', collection: 'ledger_seals',      text: '"payout_paid:pay_' }],
  ['before a failed transfer is committed',   '11', { when: 'before', what: 'commit', collection: 'ledger_entries',    text: '"payout_return:pay_' }],
  ['after a failed transfer is committed',    '11', { when: 'after',  what: 'commit', collection: 'ledger_entries',    text: '"payout_return:pay_' }],
  ['before a returned transfer is committed', '12', { when: 'before', what: 'commit', collection: 'ledger_entries',    text: '"payout_return:pay_' }],
  ['after a returned transfer is committed',  '12', { when: 'after',  what: 'commit', collection: 'ledger_entries',    text: '"payout_return:pay_' }],
];

/**
 * Each payout has a currency of its own, so that its batch does not pay what earlier ones gave back. Historic currencies
 * are among them, because the sandbox pays in any.
 */
const CURRENCIES = Intl.supportedValuesOf('currency');
const currencyOf = (moment: string): string => CURRENCIES[POINTS.findIndex(([each]) => each === moment)] ?? '';

/** A courier with earnings and a bank account for each point, two members of finance, and the date of all batches. */
async function prepare({ baseUrl, demo }: TestServer, mongo: Mongo) {
  const token = await logIn(baseUrl, demo.staff);
  const ledger = createLedger(mongo, createClock());
  const couriers = new Map<string, CourierId>();
  for (const [number, [moment, account]] of POINTS.entries()) {
    const profile = { name: 'Ada Obi', phone: `+49151990000${number + 10}`, vehicle_type: 'bicycle' };
    const { body } = await call(baseUrl, 'POST /couriers/onboard', { token, body: profile });
    const id = String(body['id']) as CourierId;
    const bank = { holder_name: 'Ada Obi', country: 'NG', account_number: `06900000${account}`, bank_code: '044' };
    const currency = currencyOf(moment);
    const set = await call(baseUrl, `PUT /couriers/${id}/bank-account`, { token, body: { ...bank, currency } });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    await earn({ ledger }, id, { pay: PAY, currency });
    couriers.set(moment, id);
  }
  const addFinance = async (email: string) => {
    const { body } = await call(baseUrl, 'POST /staff', { token, body: { email, roles: ['finance'] } });
    return { email, password: String(body['password']) };
  };
  const now = Number((await call(baseUrl, 'GET /healthz')).body['now']);
  return {
    couriers,
    one: await addFinance('one@example.com'),
    other: await addFinance('two@example.com'),
    // With the date of each request, a midnight between two of them would make two batches.
    date: new Date(now).toISOString().slice(0, 10),
  };
}

const { prepared, mongo, start } = await openScenery('payout-crashes', { settings: SETTINGS, prepare });
afterAll(() => mongo.close());

/** Starts the server that dies, and the people of finance who work on it and on its successor. */
async function open(point: KillPoint) {
  const { ask, isReplaced, end } = await start(point);
  const logInAs = async (member: typeof prepared.one) => {
    const { body } = await ask('POST /auth/token', { body: { grant_type: 'password', ...member } });
    const token = String(body['access_token']);
    return (route: string, body?: object): Promise<Answer> =>
      ask(route, { token, ...(body === undefined ? {} : { body }) });
  };
  return { one: await logInAs(prepared.one), other: await logInAs(prepared.other), isReplaced, end };
}

test.each(POINTS)('[J252] a process that is killed %s loses and doubles no payout', async (moment, account, point) => {
  const currency = currencyOf(moment);
  const courierId = prepared.couriers.get(moment) as CourierId;
  const { one, other, isReplaced, end } = await open({ ...point, text: point.text.replace('CUR', currency) });
  const batch = async () => {
    const { status: told, body } = await one('POST /payouts/process', { currency, date: prepared.date });
    expect(told, JSON.stringify(body)).toBe(202);
    return body;
  };
  await until(async () => (await batch())['status'] === 'made', PATIENCE_MS);
  const payouts = async () =>
    (await other(`GET /payouts?courier_id=${courierId}`)).body['data'] as Record<string, unknown>[];
  const [payout] = await payouts();
  const approved = await other(`POST /payouts/${String(payout?.['id'])}/approve`);
  expect(approved.status, JSON.stringify(approved.body)).toBe(200);
  const { status, earned, kinds } = ENDS[account];
  const hasEnded = async () => (await payouts())[0]?.['status'] === status && isReplaced();
  await until(hasEnded, PATIENCE_MS);
  const again = await batch();
  expect(again).toMatchObject({ status: 'made', payouts: 1, amount: PAY });
  expect(await payouts()).toHaveLength(1);
  const stored = await end(() => readStored(currency, courierId, String(payout?.['id'])));
  expect(stored).toEqual({ kinds, transfers: [PAY], earned, faults: [] });
});

/** The entries of a payout, all transfers in its currency, what its courier has now, and the faults of the whole ledger. */
async function readStored(currency: string, courierId: CourierId, payoutId: string) {
  const entries = await mongo.collection(ENTRIES).find({ about: payoutId }).toArray();
  const transfers = await mongo.collection(SANDBOX_TRANSFERS).find({ currency }).toArray();
  const ledger = createLedger(mongo, createClock());
  return {
    kinds: entries.map(({ kind }) => kind).toSorted(),
    transfers: transfers.map(({ amount }) => Number(amount)),
    earned: (await ledger.balance(courierAccount('earnings', courierId, bookOf(false, currency)))).posted,
    faults: (await verifyLedger(mongo, () => undefined)).faults,
  };
}
