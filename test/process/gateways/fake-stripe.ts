import { fakeRefunds } from './fake-stripe-refunds.ts';
import { openFake, type Heard, type Told } from './open-fake.ts';

/** A dispute or a refund, with the fields of https://docs.stripe.com/api/disputes and https://docs.stripe.com/api/refunds. */
type TakenBack = {
  readonly id: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata?: Readonly<Record<string, string>>;
  status: string;
};
type Session = Record<string, unknown> & { readonly id: string };

/**
 * The part of Stripe's API that top-ups use, with the fields of https://docs.stripe.com/api/checkout/sessions. It was
 * never compared with the service itself.
 */
export async function openFakeStripe() {
  const sessions = new Map<string, Session>();
  const byKey = new Map<string, { readonly body: string; readonly session: Session }>();
  const create = ({ headers, body }: Heard): Told => {
    const key = String(headers['idempotency-key']);
    const known = byKey.get(key);
    if (known !== undefined && known.body !== body) return problem(400, 'idempotency_error');
    const session = known?.session ?? sessionOf(new URLSearchParams(body), sessions.size + 1);
    if (known === undefined) sessions.set(session.id, session);
    byKey.set(key, { body, session });
    return Number(session['amount_total']) < 50
      ? problem(400, 'invalid_request_error')
      : { status: 200, json: session };
  };
  /** A page of two sessions, the newest first, as Stripe orders them. */
  const list = ({ url }: Heard): Told => {
    const [gte, lt] = ['created[gte]', 'created[lt]'].map((name) => Number(url.searchParams.get(name)));
    const all = [...sessions.values()].toReversed();
    const found = all.filter(({ created }) => Number(created) >= Number(gte) && Number(created) < Number(lt));
    const start = found.findIndex(({ id }) => id === url.searchParams.get('starting_after')) + 1;
    const data = found.slice(start, start + 2);
    return { status: 200, json: { object: 'list', data, has_more: start + 2 < found.length, url: url.pathname } };
  };
  const takenBack = { '/v1/disputes': [] as TakenBack[], '/v1/refunds': [] as TakenBack[] };
  const { answer, ...refunding } = fakeRefunds((intent) => {
    const session = [...sessions.values()].find(({ payment_intent: of }) => of === intent);
    return session === undefined
      ? null
      : { amount: Number(session['amount_total']), currency: String(session['currency']) };
  });
  const change = (id: string, fields: Record<string, unknown>): void => {
    const session = sessions.get(id);
    if (session !== undefined) sessions.set(id, { ...session, ...fields });
  };
  const fake = await openFake((heard) => {
    const refunded = answer(heard);
    if (refunded !== null) return refunded;
    const { pathname, searchParams } = heard.url;
    const intent = searchParams.get('payment_intent');
    if (intent !== null) {
      const all = pathname === '/v1/disputes' || pathname === '/v1/refunds' ? takenBack[pathname] : sessions.values();
      const data = [...all].filter(({ payment_intent: of }) => of === intent);
      return { status: 200, json: { object: 'list', data, has_more: false, url: pathname } };
    }
    if (heard.method === 'GET' && pathname === '/v1/checkout/sessions') return list(heard);
    if (heard.method === 'POST' && pathname === '/v1/checkout/sessions') return create(heard);
    const session = sessions.get(pathname.split('/').at(-1) ?? '');
    return session === undefined ? problem(404, 'invalid_request_error') : { status: 200, json: session };
  });
  return {
    ...fake,
    sessions,
    disputes: takenBack['/v1/disputes'],
    refunds: takenBack['/v1/refunds'],
    ...refunding,
    /** Changes what the API says about a session. */
    change,
    /** Pays a session. */
    pay: (id: string): void => change(id, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${id}` }),
  };
}

function sessionOf(given: URLSearchParams, number: number): Session {
  const id = `cs_test_${number}`;
  return {
    id,
    object: 'checkout.session',
    client_reference_id: given.get('client_reference_id'),
    amount_total: Number(given.get('line_items[0][price_data][unit_amount]')),
    currency: given.get('line_items[0][price_data][currency]'),
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    expires_at: 1_800_000_000,
    created: 1_799_900_000 + number,
    url: `https://checkout.stripe.com/c/pay/${id}`,
  };
}

function problem(status: number, type: string): Told {
  return { status, json: { error: { type, message: 'a fault of the fake' } } };
}
