import type { Heard, Told } from './open-fake.ts';

type Refund = {
  readonly id: number;
  /** Flutterwave's number of the payment. */
  readonly transaction_id: number;
  /** Major units. */
  readonly amount_refunded: number;
  readonly status: string;
  readonly comment: string;
};
type Payment = { readonly id: number; readonly amount: number; readonly status: string };

/**
 * The refunds of Flutterwave's API, version 3, with the fields of https://developer.flutterwave.com/v3.0.0/docs/refunds and
 * https://flutterwaveinc.mintlify.app/api-reference/transactions/get-all-refunds. They were never compared with the service
 * itself.
 * @param payment finds a payment by its number
 */
export function fakeFlutterwaveRefunds(payment: (id: number) => Payment | undefined) {
  const refunds = new Map<string, Refund>();
  const hiddenRefunds = new Set<string>();
  let losesNext = false;
  const make = (id: number, { body }: Heard): Told => {
    const { amount, comments } = JSON.parse(body);
    const paid = payment(id);
    if (paid === undefined || paid.status !== 'successful') return problem(404, 'Transaction not found');
    const before = [...refunds.values()].filter((one) => one.transaction_id === id);
    // Both are written with at most two digits after the point.
    const cents = before.reduce((sum, one) => sum + one.amount_refunded * 100, amount * 100);
    if (Math.round(cents) > Math.round(paid.amount * 100)) return problem(400, 'Refund amount is too high');
    const made = { id: refunds.size + 1, amount_refunded: amount, status: 'processing' };
    refunds.set(`${comments} ${made.id}`, { ...made, transaction_id: id, comment: comments });
    if (losesNext) {
      losesNext = false;
      return problem(503, 'a fault of the fake');
    }
    const data = { ...made, tx_id: id, destination: 'payment_source' };
    return { status: 200, json: { status: 'success', message: 'Transaction refund initiated', data } };
  };
  const list = ({ searchParams }: URL): Told => {
    const of = [...refunds.values()].filter((one) => String(one.transaction_id) === searchParams.get('id'));
    const data = of.filter(({ comment }) => !hiddenRefunds.has(comment)).toReversed();
    return { status: 200, json: { status: 'success', message: 'Refunds fetched', data } };
  };
  return {
    refunds,
    /** The references of refunds that are made and are not listed yet. */
    hiddenRefunds,
    /** Answers a request about refunds; null for any other. */
    answerRefund: (heard: Heard): Told | null => {
      const { method, url } = heard;
      const [, id] = /^\/v3\/transactions\/(\d+)\/refund$/.exec(url.pathname) ?? [];
      if (method === 'POST' && id !== undefined) return make(Number(id), heard);
      return url.pathname === '/v3/refunds' ? list(url) : null;
    },
    /** Changes what the API says about the refund of this reference, and how much it has refunded, in major units. */
    changeRefund: (reference: string, status: string, major?: number): void => {
      const money = major === undefined ? {} : { amount_refunded: major };
      for (const [key, one] of refunds) if (one.comment === reference) refunds.set(key, { ...one, status, ...money });
    },
    /** Makes the next refund, and answers nothing that says so. */
    loseNextRefund: (): void => {
      losesNext = true;
    },
  };
}

function problem(status: number, message: string): Told {
  return { status, json: { status: 'error', message, data: null } };
}
