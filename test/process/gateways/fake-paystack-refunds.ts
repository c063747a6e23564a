import type { Heard, Told } from './open-fake.ts';

type Refund = {
  readonly id: number;
  /** Paystack's number of the payment. */
  readonly transaction: number;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly merchant_note: string;
  readonly dispute?: number | null;
};
type Payment = { readonly id: number; readonly amount: number; readonly currency: string; readonly status: string };

/**
 * The refunds of Paystack's API, with the fields of https://paystack.com/docs/api/refund/ and the statuses of
 * https://support.paystack.com/en/articles/2130434. They were never compared with the service itself.
 * @param payment finds a payment by its reference
 * @param reverse notes that a refund of the payment was begun
 */
export function fakePaystackRefunds(
  payment: (reference: string) => Payment | undefined,
  reverse: (reference: string) => void,
) {
  const refunds = new Map<string, Refund>();
  const hiddenRefunds = new Set<string>();
  let losesNext = false;
  const make = ({ body }: Heard): Told => {
    const { transaction: reference, amount, currency, merchant_note: note } = JSON.parse(body);
    const paid = payment(reference);
    if (paid === undefined) return problem(404, 'Transaction not found');
    if (paid.status !== 'success' && paid.status !== 'reversed') return problem(400, 'Transaction was not successful');
    const before = [...refunds.values()].filter((one) => one.transaction === paid.id);
    if (before.reduce((sum, one) => sum + one.amount, amount) > paid.amount)
      return problem(400, 'Transaction has been fully reversed');
    const made = { id: refunds.size + 1, transaction: paid.id, amount, currency, status: 'pending' };
    refunds.set(`${note} ${made.id}`, { ...made, merchant_note: note });
    reverse(reference);
    if (losesNext) {
      losesNext = false;
      return problem(504, 'a fault of the fake');
    }
    const data = { ...made, merchant_note: note, transaction: { id: paid.id, reference } };
    return { status: 200, json: { status: true, message: 'Refund has been queued for processing', data } };
  };
  /** The refunds of a payment, which is known by its number only, the newest first. */
  const list = ({ searchParams }: URL): Told => {
    const of = [...refunds].filter(([, one]) => String(one.transaction) === searchParams.get('transaction'));
    const data = of.filter(([, one]) => !hiddenRefunds.has(one.merchant_note)).map(([, one]) => one);
    return { status: 200, json: { status: true, message: 'Refunds retrieved', data: data.toReversed() } };
  };
  return {
    refunds,
    /** The references of refunds that are made and are not listed yet. */
    hiddenRefunds,
    /** Answers a request about refunds; null for any other. */
    answerRefund: (heard: Heard): Told | null => {
      if (heard.url.pathname !== '/refund') return null;
      return heard.method === 'POST' ? make(heard) : list(heard.url);
    },
    /** Changes what the API says about the refund of this reference. */
    changeRefund: (reference: string, status: string): void => {
      for (const [key, one] of refunds) if (one.merchant_note === reference) refunds.set(key, { ...one, status });
    },
    /** Makes the next refund, and answers nothing that says so. */
    loseNextRefund: (): void => {
      losesNext = true;
    },
  };
}

function problem(status: number, message: string): Told {
  return { status, json: { status: false, message } };
}
