import { fakePaystackRefunds } from './fake-paystack-refunds.ts';
import { fakePaystackTransfers } from './fake-paystack-transfers.ts';
import { openFake, type Heard, type Told } from './open-fake.ts';

type Transaction = {
  readonly id: number;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly created_at: string;
};

/**
 * The part of Paystack's API that top-ups use, with the fields of https://paystack.com/docs/api/transaction/ and the errors
 * of https://docs-v2.paystack.com/api/errors/transaction. It was never compared with the service itself.
 */
export async function openFakePaystack() {
  const transactions = new Map<string, Transaction>();
  const transfers = fakePaystackTransfers();
  const refunds = fakePaystackRefunds(
    (reference) => transactions.get(reference),
    (reference) => change(reference, { status: 'reversed' }),
  );
  const change = (reference: string, fields: Partial<Transaction>): void => {
    const found = transactions.get(reference);
    if (found !== undefined) transactions.set(reference, { ...found, ...fields });
  };
  const initialize = ({ body }: Heard): Told => {
    const { email, amount, currency, reference } = JSON.parse(body) as Transaction & { readonly email: string };
    if (!/^[^@ ]+@[^@ ]+$/.test(email)) return problem(400, 'Invalid Email Address Passed');
    if (!/^[\w.=-]+$/.test(reference) || reference.includes('_')) return problem(400, 'Invalid Reference');
    if (transactions.has(reference)) return problem(400, 'Duplicate Transaction Reference');
    if (amount < 50) return problem(400, 'Invalid Amount Sent');
    transactions.set(reference, {
      id: transactions.size + 1,
      reference,
      amount,
      currency,
      status: 'abandoned',
      created_at: '2026-01-05T12:00:00.000Z',
    });
    const page = { authorization_url: `https://checkout.paystack.com/${reference}`, access_code: 'x', reference };
    return { status: 200, json: { status: true, message: 'Authorization URL created', data: page } };
  };
  /** A page of the list of all transactions, the newest first. */
  const list = ({ url }: Heard): Told => {
    const [from = '', to = '', size, page] = ['from', 'to', 'perPage', 'page'].map(
      (name) => url.searchParams.get(name) ?? '',
    );
    const found = [...transactions.values()]
      .filter((one) => one.created_at >= from && one.created_at <= to)
      .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
    const skipped = Number(size) * (Number(page) - 1);
    const data = found.slice(skipped, skipped + Number(size)).map((one) => ({ fees: 100, ...one }));
    return { status: 200, json: { status: true, message: 'Transactions retrieved', data, meta: { skipped } } };
  };
  const fake = await openFake((heard) => {
    const { pathname } = heard.url;
    const told = transfers.answer(heard) ?? refunds.answerRefund(heard);
    if (told !== null) return told;
    if (heard.method === 'GET' && pathname === '/transaction') return list(heard);
    if (heard.method === 'POST' && pathname === '/transaction/initialize') return initialize(heard);
    const found = transactions.get(pathname.split('/').at(-1) ?? '');
    if (found === undefined) return problem(404, 'Transaction reference not found.');
    const data = { domain: 'test', fees: 100, paid_at: null, ...found };
    return { status: 200, json: { status: true, message: 'Verification successful', data } };
  });
  return {
    ...fake,
    ...transfers,
    ...refunds,
    transactions,
    /** Changes what the API says about a transaction. */
    change,
  };
}

function problem(status: number, message: string): Told {
  return { status, json: { status: false, message } };
}
