import { afterAll, expect, test } from 'vitest';
import type { KillPoint } from '../../load-tests/servers/kill-at.ts';
import { AUDIT } from '../../src/models/audit-shapes.ts';
import { ENTRIES } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_TRANSFERS } from '../../src/models/sandbox/sandbox-transfer-store.ts';
import { until } from '../until.ts';
import { call, logIn, type Answer } from './client.ts';
import type { TestServer } from './servers.ts';
import { openScenery, PATIENCE_MS } from './troubled.ts';

const TOPPED_UP = 20_000;
/** A minute of the sandbox takes six seconds. */
const SETTINGS = { CLOCK_SCALE: '10' };

/** The end of a refund for each amount that the sandbox knows: whether the wallet has it again, and the kinds of its entries. */
// One row per line: this is a table.
// oxfmt-ignore
const ENDS = {
  1000: { status: 'paid',     isBack: false, kinds: ['top_up_refund', 'top_up_refund_paid'] },
  1007: { status: 'failed',   isBack: true,  kinds: ['top_up_refund', 'top_up_refund_return'] }, // a person ends it
  1011: { status: 'failed',   isBack: true,  kinds: ['top_up_refund', 'top_up_refund_return'] },
  1012: { status: 'reversed', isBack: true,  kinds: ['top_up_refund', 'top_up_refund_paid', 'top_up_refund_return'] },
} as const;
type Amount = keyof typeof ENDS;

/** The moments at which the process dies: when a refund is reserved, sent, carried out, recorded, given back and sealed. */
// One row per line: this is a table.
// oxfmt-ignore
const POINTS: readonly (readonly [moment: string, amount: Amount, point: KillPoint])[] = [
  ['before the refund is stored',           1000, { when: 'before', what: 'write',  collection: 'top_up_refunds',    text: '"state":"pending"' }],
  ['before the money leaves the wallet',    1000, { when: 'before', what: 'write',  collection: 'ledger_entries',    text: '"top_up_refund:tur_' }],
  ['before the reserve is audited',         1000, { when: 'before', what: 'write',  collection: 'audit',             text: '"top_up.refund"' }],
  ['before the reserve is committed',       1000, { when: 'before', what: 'commit', collection: 'top_up_refunds',    text: '"state":"pending"' }],
  ['after the reserve is committed',        1000, { when: 'after',  what: 'commit', collection: 'top_up_refunds',    text: '"state":"pending"' }],
  ['before the refund is marked as sent',   1000, { when: 'before', what: 'commit', collection: 'top_up_refunds',    text: '"state":"processing"' }],
  ['before the gateway is called',          1000, { when: 'after',  what: 'commit', collection: 'top_up_refunds',    text: '"state":"processing"' }],
  ['before the gateway makes the refund',   1000, { when: 'before', what: 'write',  collection: 'sandbox_transfers', text: '"tur_' }],
  ['before the gateway answers',            1000, { when: 'after',  what: 'write',  collection: 'sandbox_transfers', text: '"tur_' }],
  ['before the answer is recorded',         1000, { when: 'before', what: 'write',  collection: 'top_up_refunds',    text: '"state":"paid","reason":null,"looks":0' }],
  ['before the answer is booked',           1000, { when: 'before', what: 'write',  collection: 'ledger_entries',    text: '"top_up_refund_paid:tur_' }],
  ['before the answer is committed',        1000, { when: 'before', what: 'commit', collection: 'ledger_entries',    text: '"top_up_refund_paid:tur_' }],
  ['after the answer is committed',         1000, { when: 'after',  what: 'commit', collection: 'ledger_entries',    text: '"top_up_refund_paid:tur_' }],
  ['before the refund is sealed',           1000, { when: 'before', what: 'commit', collection: 'ledger_seals',      text: '"top_up_refund_paid:tur_' }],
  ['after the refund is sealed',            1000, { when: 'after',  what: 'commit', collection: 'ledger_seals',      text: '"top_up_refund_paid:tur_' }],
  ['before a failed refund is committed',   1011, { when: 'before', what: 'commit', collection: 'ledger_entries',    text: '"top_up_refund_return:tur_' }],
  ['after a failed refund is committed',    1011, { when: 'after',  what: 'commit', collection: 'ledger_entries',    text: '"top_up_refund_return:tur_' }],
  ['before a returned refund is committed', 1012, { when: 'before', what: 'commit', collection: 'ledger_entries',    text: '"top_up_refund_return:tur_' }],
  ['after a returned refund is committed',  1012, { when: 'after',  what: 'commit', collection: 'ledger_entries',    text: '"top_up_refund_return:tur_' }],
  ['before it is noted for a person',       1007, { when: 'before', what: 'commit', collection: 'top_up_refunds',    text: '"state":"needs_action","reason":"transfer_differs","looks":0' }],
  ['before the end by a person is booked',  1007, { when: 'before', what: 'write',  collection: 'ledger_entries',    text: '"top_up_refund_return:tur_' }],
  ['before the end by a person is stored',  1007, { when: 'before', what: 'commit', collection: 'audit',             text: '"top_up_refund.resolve"' }],
  ['after the end by a person is stored',   1007, { when: 'after',  what: 'commit', collection: 'audit',             text: '"top_up_refund.resolve"' }],
];

/** Two members of finance: one asks for refunds, and the other ends those that wait for a person. */
async function prepare({ baseUrl, demo }: TestServer) {
  const admin = await logIn(baseUrl, demo.staff);
  const addFinance = async (email: string) => {
    const { body } = await call(baseUrl, 'POST /staff', { token: admin, body: { email, roles: ['finance'] } });
    return { email, password: String(body['password']) };
  };
  return { one: await addFinance('one@example.com'), other: await addFinance('two@example.com') };
}

const { prepared, demo, mongo, start } = await openScenery('refund-crashes', { settings: SETTINGS, prepare });
afterAll(() => mongo.close());

/** Starts the server that dies, and the people who work on it and on its successor. */
async function open(point: KillPoint) {
  const { ask, isReplaced, end } = await start(point);
  const as =
    (token: string) =>
    (route: string, body?: object): Promise<Answer> =>
      ask(route, { token, ...(body === undefined ? {} : { body }) });
  const logInAs = async (member: typeof prepared.one) => {
    const { body } = await ask('POST /auth/token', { body: { grant_type: 'password', ...member } });
    return as(String(body['access_token']));
  };
  const [finance, other] = [await logInAs(prepared.one), await logInAs(prepared.other)];
  return { vendor: as(demo.vendor.api_key), finance, other, isReplaced, end };
}

type Asking = Awaited<ReturnType<typeof open>>['vendor'];

/** Tops the wallet up. Returns the id of the top-up, and what the wallet then has. */
async function topUp(vendor: Asking) {
  const { body } = await vendor('POST /wallets/fund', { amount: TOPPED_UP });
  await vendor(`POST ${new URL(String(body['authorization_url'])).pathname}/pay`);
  const id = String(body['id']);
  await until(async () => (await vendor(`GET /wallets/top-ups/${id}`)).body['status'] === 'succeeded', PATIENCE_MS);
  return { id, available: await availableTo(vendor) };
}

async function availableTo(vendor: Asking): Promise<number> {
  return Number((await vendor('GET /wallets/balance')).body['available']);
}

/** The entries, audited actions and payments out of a refund, and the faults of the whole ledger. */
async function readStored(id: string) {
  const entries = await mongo.collection(ENTRIES).find({ about: id }).toArray();
  const actions = await mongo.collection(AUDIT).find({ objectId: id }).toArray();
  const made = await mongo.collection(SANDBOX_TRANSFERS).countDocuments({ _id: id });
  return {
    kinds: entries.map(({ kind }) => kind).toSorted(),
    actions: actions.map(({ action }) => action).toSorted(),
    made,
    faults: (await verifyLedger(mongo, () => undefined)).faults,
  };
}

test.each(POINTS)('[J282] a process that is killed %s loses and doubles no refund', async (_moment, amount, point) => {
  const { vendor, finance, other, isReplaced, end } = await open(point);
  const { id: topUpId, available } = await topUp(vendor);
  const asked = { reference: 'one', reason: 'the shop has closed', amount };
  const { status, body } = await finance(`POST /wallets/top-ups/${topUpId}/refunds`, asked);
  expect(status, JSON.stringify(body)).toBe(202);
  const id = String(body['id']);
  const read = async () => (await finance(`GET /wallets/refunds/${id}`)).body;
  const isByPerson = amount === 1007;
  if (isByPerson) {
    await until(async () => (await read())['status'] === 'needs_action', PATIENCE_MS);
    const ended = await other(`POST /wallets/refunds/${id}/resolve`, { outcome: 'failed', reason: 'never arrived' });
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  }
  const wanted = ENDS[amount];
  const isSealed = async () => (await mongo.collection(ENTRIES).countDocuments({ about: id, due: true })) === 0;
  await until(
    async () => (await read())['status'] === wanted.status && isReplaced() && (await isSealed()),
    PATIENCE_MS,
  );
  const { body: list } = await finance(`GET /wallets/refunds?top_up_id=${topUpId}`);
  expect(list['data']).toMatchObject([{ id, amount, status: wanted.status }]);
  expect(await availableTo(vendor)).toBe(available - (wanted.isBack ? 0 : amount));
  expect(await end(() => readStored(id))).toEqual({
    kinds: wanted.kinds,
    actions: ['top_up.refund', ...(isByPerson ? ['top_up_refund.resolve'] : [])],
    made: 1,
    faults: [],
  });
});
