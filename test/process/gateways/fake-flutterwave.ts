import { openFake, type Heard, type Told } from './open-fake.ts';

/** A payment that was asked for, in major units. */
type Asked = { readonly tx_ref: string; readonly amount: string; readonly currency: string };
type Transaction = Pick<Asked, 'tx_ref' | 'currency'> & { readonly amount: number; readonly status: string };

/**
 * The part of Flutterwave's API, version 3, that top-ups use, with the fields of
 * https://developer.flutterwave.com/docs/flutterwave-standard-1 and https://developer.flutterwave.com/docs/transaction-verification.
 * It was never compared with the service itself.
 */
export async function openFakeFlutterwave() {
  const asked = new Map<string, Asked>();
  const transactions = new Map<string, Transaction>();
  const start = ({ body }: Heard): Told => {
    const payment = JSON.parse(body) as Asked & { readonly customer: { readonly email: string } };
    const { tx_ref: reference, amount, customer } = payment;
    if (!customer.email.includes('@')) return problem(400, 'customer email is required');
    if (Number(amount) < 0.5) return problem(400, 'amount is too low');
    asked.set(reference, payment);
    const data = { link: `https://checkout.flutterwave.com/v3/hosted/pay/${reference}` };
    return { status: 200, json: { status: 'success', message: 'Hosted Link', data } };
  };
  const fake = await openFake((heard) => {
    const { pathname, searchParams } = heard.url;
    if (heard.method === 'POST' && pathname === '/v3/payments') return start(heard);
    const found = transactions.get(searchParams.get('tx_ref') ?? '');
    if (found === undefined) return problem(404, 'No transaction was found for this id');
    const data = { id: 1, flw_ref: 'x', charged_amount: found.amount, app_fee: 1, ...found };
    return { status: 200, json: { status: 'success', message: 'Transaction fetched successfully', data } };
  });
  return {
    ...fake,
    asked,
    /** Lets a payer try to pay. */
    tryToPay: (reference: string, fields: Partial<Transaction>): void => {
      const payment = asked.get(reference);
      if (payment === undefined) return;
      const { currency, amount } = payment;
      const before = { tx_ref: reference, currency, amount: Number(amount), status: 'pending' };
      transactions.set(reference, { ...before, ...fields });
    },
  };
}

function problem(status: number, message: string): Told {
  return { status, json: { status: 'error', message, data: null } };
}
