import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { openPort } from '../../open-port.ts';

type Session = Record<string, unknown> & { readonly id: string };

/** The faults that the next request gets instead of an answer. */
type Fault = 'unavailable' | 'silence' | 'limited' | 'unauthorized';

/**
 * The part of Stripe's API that top-ups use, with the fields of https://docs.stripe.com/api/checkout/sessions. It was
 * never compared with the service itself.
 */
export async function openFakeStripe() {
  const sessions = new Map<string, Session>();
  const byKey = new Map<string, { readonly body: string; readonly session: Session }>();
  const faults: Fault[] = [];
  const heard: { readonly authorization: string | undefined; readonly body: URLSearchParams }[] = [];
  const create = (request: IncomingMessage, body: string, response: ServerResponse): void => {
    const key = String(request.headers['idempotency-key']);
    const known = byKey.get(key);
    if (known !== undefined && known.body !== body) return answer(response, 400, problem('idempotency_error'));
    const session = known?.session ?? sessionOf(new URLSearchParams(body), sessions.size + 1);
    if (known === undefined) sessions.set(session.id, session);
    byKey.set(key, { body, session });
    const amount = Number(session['amount_total']);
    if (amount < 50) return answer(response, 400, problem('invalid_request_error'));
    answer(response, 200, session);
  };
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    heard.push({ authorization: request.headers.authorization, body: new URLSearchParams(body) });
    const fault = faults.shift();
    if (fault === 'silence') return;
    if (fault !== undefined) return answer(response, FAULTS[fault], problem('api_error'));
    const { pathname } = new URL(request.url ?? '', 'http://stripe');
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions') return create(request, body, response);
    const session = sessions.get(pathname.split('/').at(-1) ?? '');
    if (session === undefined) answer(response, 404, problem('invalid_request_error'));
    else answer(response, 200, session);
  };
  const server = createServer((request, response) => void hear(request, response));
  const url = await openPort(server);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url,
    faults,
    heard,
    sessions,
    /** Changes what the API says about a session. */
    change: (id: string, fields: Record<string, unknown>): void => {
      const session = sessions.get(id);
      if (session !== undefined) sessions.set(id, { ...session, ...fields });
    },
  };
}

const FAULTS = { unavailable: 503, limited: 429, unauthorized: 401 } as const;

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
    url: `https://checkout.stripe.com/c/pay/${id}`,
  };
}

function problem(type: string): object {
  return { error: { type, message: 'a fault of the fake' } };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
