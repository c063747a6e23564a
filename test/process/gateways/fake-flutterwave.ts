import { fakeFlutterwaveRefunds } from './fake-flutterwave-refunds.ts';
import { fakeFlutterwaveTransfers } from './fake-flutterwave-transfers.ts';
import { openFake, type Heard, type Told } from './open-fake.ts';

/** A payment that was asked for, in major units. */
type Asked = { readonly tx_ref: string; readonly amount: string; readonly currency: string };
type Transaction = Pick<Asked, 'tx_ref' | 'currency'> & {
  readonly id: number;
  readonly amount: number;
  readonly status: string;
  readonly created_at: string;
  readonly app_fee?: number | null;
  readonly amount_settled?: number | null;
};

/** Transactions of a page of the list, as many as in the examples of the service. */
const PER_PAGE = 10;

/**
 * The part of Flutterwave's API, version 3, that top-ups use, with the fields of
 * https://developer.flutterwave.com/docs/flutterwave-standard-1 and https://developer.flutterwave.com/docs/transaction-verification.
 * It was never compared with the service itself.
 */
export async function openFakeFlutterwave() {
  const asked = new Map<string, Asked>();
  const transactions = new Map<string, Transaction>();
  const transfers = fakeFlutterwaveTransfers();
  /** Payments after the first one of a reference. */
  const further: Transaction[] = [];
  const all = (): Transaction[] => [...transactions.values(), ...further];
  const refunds = fakeFlutterwaveRefunds((id) => all().find((one) => one.id === id));
  const start = ({ body }: Heard): Told => {
    const payment = JSON.parse(body) as Asked & { readonly customer: { readonly email: string } };
    const { tx_ref: reference, amount, customer } = payment;
    if (!customer.email.includes('@')) return problem(400, 'customer email is required');
    if (Number(amount) < 0.5) return problem(400, 'amount is too low');
    asked.set(reference, payment);
    const data = { link: `https://checkout.flutterwave.com/v3/hosted/pay/${reference}` };
    return { status: 200, json: { status: 'success', message: 'Hosted Link', data } };
  };
  /** All transactions, the newest first. The filters are ignored, so that nobody relies on them where money depends on it. */
  const unfiltered = (): Told => {
    const data = all();
    const meta = { page_info: { total: data.length, total_pages: 1 } };
    return { status: 200, json: { status: 'success', message: 'Transactions fetched', meta, data: data.toReversed() } };
  };
  /** A page of the list, the newest first. The dates count as whole days. */
  const list = ({ url }: Heard): Told => {
    if (url.searchParams.has('tx_ref')) return unfiltered();
    const [from = '', to = '', status, page] = ['from', 'to', 'status', 'page'].map(
      (name) => url.searchParams.get(name) ?? '',
    );
    if (!/^\d{4}-\d\d-\d\d$/.test(from) || !/^\d{4}-\d\d-\d\d$/.test(to)) return problem(400, 'dates are wrong');
    const found = [...transactions.values(), ...further]
      .filter((one) => one.status === status && one.created_at.slice(0, 10) >= from && one.created_at < to)
      .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
    const skipped = PER_PAGE * (Number(page) - 1);
    const data = found.slice(skipped, skipped + PER_PAGE).map((one) => ({ app_fee: 1, ...one }));
    const meta = { page_info: { total: found.length, total_pages: Math.ceil(found.length / PER_PAGE) } };
    return { status: 200, json: { status: 'success', message: 'Transactions fetched', meta, data } };
  };
  const fake = await openFake((heard) => {
    const { pathname, searchParams } = heard.url;
    const told = transfers.answer(heard) ?? refunds.answerRefund(heard);
    if (told !== null) return told;
    if (heard.method === 'GET' && pathname === '/v3/transactions') return list(heard);
    if (heard.method === 'POST' && pathname === '/v3/payments') return start(heard);
    const found = transactions.get(searchParams.get('tx_ref') ?? '');
    if (found === undefined) return problem(404, 'No transaction was found for this id');
    const data = { flw_ref: 'x', charged_amount: found.amount, app_fee: 1, ...found };
    return { status: 200, json: { status: 'success', message: 'Transaction fetched successfully', data } };
  });
  return {
    ...fake,
    ...transfers,
    ...refunds,
    asked,
    /** Lets a payer pay once more on the same page. */
    payAgain: (reference: string, amount: number, fields: Partial<Transaction> = {}): void => {
      const currency = asked.get(reference)?.currency ?? '';
      const paid = { status: 'successful', created_at: '2026-01-05T12:10:00.000Z' };
      further.push({ id: all().length + 1, tx_ref: reference, currency, amount, ...paid, ...fields });
    },
    /** Lets a payer try to pay. */
    tryToPay: (reference: string, fields: Partial<Transaction>): void => {
      const payment = asked.get(reference);
      if (payment === undefined) return;
      const { currency, amount } = payment;
      const begun = { status: 'pending', created_at: '2026-01-05T12:00:00.000Z' };
      const id = transactions.get(reference)?.id ?? all().length + 1;
      const before = { id, tx_ref: reference, currency, amount: Number(amount), ...begun };
      transactions.set(reference, { ...before, ...fields });
    },
  };
}

function problem(status: number, message: string): Told {
  return { status, json: { status: 'error', message, data: null } };
}
