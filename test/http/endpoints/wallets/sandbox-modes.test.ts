import { beforeAll, expect, test } from 'vitest';
import { advanceRefunds } from '../../../../src/dispatch/due/pay-out.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { addStaff, call, openHouse } from '../../house.ts';
import { withoutRow } from '../../sandbox-behaviours.ts';
import { aPayer } from './paying.ts';

const house = await openHouse('sandbox_modes', (settings) => ({
  ...settings,
  topUps: { ...settings.topUps, requestRealMs: 5000 },
}));

let finance = '';
beforeAll(async () => {
  finance = await addStaff(house, 'finance');
});

type Payer = Awaited<ReturnType<typeof aPayer>>;
type Opened = { readonly id: unknown; readonly page: unknown };
/** The effect of a mode: the state after the payer has paid and the due callbacks were sent, and the state at the end. */
type Row = {
  readonly first?: string;
  readonly end: string;
  readonly reason?: string;
  /** The step between the two. */
  readonly between?: (payer: Payer, opened: Opened) => Promise<unknown>;
};

const PAID = { end: 'succeeded' } as const;
const LATE = { first: 'pending', ...PAID } as const;
/** Every behaviour of the sandbox, and amounts without one. */
const ROWS: Readonly<Record<string, Row>> = {
  '00': PAID,
  '17': PAID,
  '01': { end: 'failed', reason: 'declined' },
  '02': { ...LATE, between: ({ makeNoticeDue }, { id }) => makeNoticeDue(id) },
  '03': { ...PAID, between: ({ work }) => work() },
  '04': PAID,
  '05': { ...LATE, between: ({ makeDue }, { id }) => makeDue(id) },
  '06': { ...LATE, between: ({ makeDue }, { id }) => makeDue(id) },
  '07': { end: 'failed', reason: 'mismatch' },
  '08': { end: 'failed', reason: 'mismatch' },
  '09': PAID,
  '10': PAID,
  // These are behaviours of transfers and refunds.
  '11': PAID,
  '12': PAID,
  '13': PAID,
  '14': PAID,
  // A minute later the money is taken back: see J268.
  '15': PAID,
  '16': PAID,
};

test('[J90] each behaviour of the sandbox has a row here', () => {
  expect(withoutRow(Object.keys(ROWS))).toEqual([]);
});

test.each(Object.entries(ROWS))(
  '[J90] with an amount that ends in %s, the money of a payer is booked once',
  async (ending, row) => {
    const { payer, id, amount } = await settled(ending, row);
    expect(await payer.find(id)).toMatchObject({ status: row.end, reason: row.reason ?? null });
    const credit = row.end === 'succeeded' ? amount : 0;
    expect(await payer.balance()).toMatchObject({ available: credit, pending: 0 });
    const entries = house.mongo.collection(ENTRIES).find({ about: String(id) });
    const kinds = (await entries.toArray()).map(({ kind }) => kind);
    expect(kinds).toEqual(row.end === 'succeeded' ? ['top_up'] : row.reason === 'mismatch' ? ['suspense'] : []);
  },
);

test.each(Object.entries(ROWS))(
  '[J272] a top-up with an amount that ends in %s can be refunded exactly if it is credited',
  async (ending, row) => {
    const { payer, id, amount } = await settled(ending, row);
    const body = { reference: 'one', reason: 'the shop has closed', amount: 1000 };
    const refund = await call(house, `POST /wallets/top-ups/${String(id)}/refunds`, { token: finance, body });
    if (row.end !== 'succeeded') {
      expect(refund.body).toMatchObject({ status: 409, code: 'top_up_not_refundable' });
      return;
    }
    expect([refund.status, await payer.available()]).toEqual([202, amount - 1000]);
    await advanceRefunds(house.ctx, { gateway: 'sandbox', liveMode: false })(() => true);
    const { body: paid } = await call(house, `GET /wallets/refunds/${String(refund.body['id'])}`, { token: finance });
    expect(paid).toMatchObject({ status: 'paid', amount: 1000 });
  },
);

/** A top-up that a payer has paid or declined, after all that the server learns of it. */
async function settled(ending: string, row: Row) {
  const payer = await aPayer(house);
  const amount = Number(`50${ending}`);
  const opened = await open(payer, amount, ending);
  const { id, page } = opened;
  await payer.choose(page);
  await payer.work();
  expect(await payer.find(id)).toMatchObject({ status: row.first ?? row.end });
  await row.between?.(payer, opened);
  await payer.work();
  await payer.work();
  return { payer, id, amount };
}

/** Starts a top-up. The sandbox breaks down at the first try of two modes, and the retry goes on with the same payment. */
async function open(payer: Payer, amount: number, ending: string): Promise<Opened> {
  const isAway = ending === '09' || ending === '10';
  if (isAway) {
    const failed = await payer.fund({ amount }, 'one-request');
    expect([failed.status, failed.body['code']]).toEqual([503, 'gateway_unavailable']);
    expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const { status, body } = await payer.fund({ amount }, isAway ? 'one-request' : undefined);
  expect(status).toBe(202);
  return { id: body['id'], page: body['authorization_url'] };
}

test('[J84] the money of a payment that differs is in suspense, and the log names it as an error', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 5008 });
  await payer.choose(body['authorization_url']);
  await payer.work();
  const about = String(body['id']);
  const entry = await house.mongo.collection(ENTRIES).findOne({ about });
  expect(entry).toMatchObject({
    book: 'test.USD',
    vendorId: null,
    postings: [{ account: 'clearing::test.USD' }, { account: 'suspense::test.USD' }],
  });
  const paid = { amount: 5008, currency: 'USD' };
  const alert = expect.objectContaining({ topUp: about, paid });
  expect(house.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toContainEqual(alert);
});
