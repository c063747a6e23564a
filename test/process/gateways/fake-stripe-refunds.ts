import type { Heard, Told } from './open-fake.ts';

type Refund = {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly payment_intent: string;
  readonly metadata: { readonly refund_id: string };
  readonly status: string;
  readonly failure_reason: string | null;
};
type Payment = { readonly amount: number; readonly currency: string };

const PATH = '/v1/refunds';
/** Refunds on a page of the list. */
const PAGE = 2;

/**
 * The refunds of Stripe's API, with the fields of https://docs.stripe.com/api/refunds. They were never compared with the
 * service itself.
 * @param paymentOf the payment of an intent; null if nobody has paid it
 */
export function fakeRefunds(paymentOf: (intent: string) => Payment | null) {
  const refunds = new Map<string, Refund>();
  const bodies = new Map<string, { readonly body: string; readonly id: string }>();
  let losesNext = false;
  const ofIntent = (intent: string | null): Refund[] =>
    [...refunds.values()].filter(({ payment_intent: of }) => of === intent).toReversed();
  const make = (body: string): Refund | null => {
    const given = new URLSearchParams(body);
    const [intent, amount] = [given.get('payment_intent') ?? '', Number(given.get('amount'))];
    const payment = paymentOf(intent);
    const before = ofIntent(intent).reduce((sum, refund) => sum + refund.amount, 0);
    if (payment === null || before + amount > payment.amount) return null;
    const metadata = { refund_id: given.get('metadata[refund_id]') ?? '' };
    const of = { amount, currency: payment.currency, payment_intent: intent, metadata };
    return { id: `re_${refunds.size + 1}`, object: 'refund', ...of, status: 'succeeded', failure_reason: null };
  };
  const create = ({ headers, body }: Heard): Told => {
    const key = String(headers['idempotency-key']);
    const known = bodies.get(key);
    if (known !== undefined && known.body !== body) return { status: 400, json: problem('idempotency_error') };
    const refund = known === undefined ? make(body) : (refunds.get(known.id) ?? null);
    if (refund === null) return { status: 400, json: problem('invalid_request_error') };
    refunds.set(refund.id, refund);
    bodies.set(key, { body, id: refund.id });
    if (!losesNext) return { status: 200, json: refund };
    losesNext = false;
    return { status: 502, json: problem('api_error') };
  };
  const list = ({ searchParams }: URL): Told => {
    const found = ofIntent(searchParams.get('payment_intent'));
    const start = found.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1;
    const data = found.slice(start, start + PAGE);
    return { status: 200, json: { object: 'list', data, has_more: start + PAGE < found.length, url: PATH } };
  };
  return {
    madeRefunds: refunds,
    /** Answers a request that makes or lists such refunds; null for any other. */
    answer: (heard: Heard): Told | null => {
      if (heard.url.pathname !== PATH) return null;
      if (heard.method === 'POST') return create(heard);
      return ofIntent(heard.url.searchParams.get('payment_intent')).length === 0 ? null : list(heard.url);
    },
    /** Changes what the API says about the refund of this reference. */
    changeRefund: (reference: string, fields: Partial<Refund>): void => {
      for (const [id, refund] of refunds)
        if (refund.metadata.refund_id === reference) refunds.set(id, { ...refund, ...fields });
    },
    /** Makes the next refund, and answers nothing that says so. */
    loseNextRefund: (): void => {
      losesNext = true;
    },
  };
}

function problem(type: string): object {
  return { error: { type, message: 'a fault of the fake' } };
}
