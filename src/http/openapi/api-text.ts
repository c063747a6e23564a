import { API_VERSION, API_VERSIONS } from '../../domain/deliveries/events.ts';
import type { Tag } from '../endpoint.ts';

/** The introduction of the document, in Markdown. */
export const ABOUT = [
  'Vendors request deliveries, and a network of couriers carries them out. Start with the guides at `/docs`.',
  '',
  '- A vendor sends its API key as `Authorization: Bearer dsk_test_…`. Couriers and staff log in with `POST /auth/token`.',
  '- All bodies are JSON in UTF-8. Times are RFC 3339 in UTC, and money is a whole number of minor units.',
  '- A refusal is an RFC 9457 problem with a stable `code`. Each code has a page under `/docs/problems/`.',
  '- A list has `data`, `has_more` and `next_cursor`. Send `next_cursor` as `cursor` to read the next page.',
  '- Unknown fields are refused, so that a misspelled field is never lost in silence.',
].join('\n');

/** The groups of operations, in the order of the document. */
export const TAGS: Readonly<Record<Tag, string>> = {
  Express: 'Deliveries of external businesses: quote, create, follow, cancel.',
  Deliveries: 'Deliveries of all channels, for vendors, staff and internal services.',
  Tracking: 'State, history, position and links of a delivery.',
  Couriers: 'Profiles, availability and positions of couriers.',
  Dispatch: 'Assignment by hand, and insight into the decisions of the matcher.',
  Vendor: "The vendor's account and its reports about goods that wait for collection.",
  Analytics:
    'Numbers about deliveries that have ended: how they ended, how long they took, their cost, and the couriers.',
  Wallets: 'Wallets of vendors, and payouts to couriers.',
  Billing: 'Transactions, charges and invoices of a vendor.',
  Webhooks: 'Registrations of URLs that receive events, and the events themselves.',
  Access: 'API keys, sessions and staff accounts.',
  'Sign-in': 'Login of couriers and staff.',
  Service: 'Health, metrics and documents of the server.',
};

/** The group of the requests that vendors receive. Its name differs from all others, since generators make a file of each. */
export const RECEIVED = 'Received events';
export const RECEIVED_WORDS = 'Requests that the server sends to the URLs of webhooks. A receiver implements them.';

/** The credentials, by the kind of caller that the policy names. */
export const SCHEMES = {
  vendor: [
    'vendorKey',
    'API key of a vendor: `dsk_test_…` in test mode, `dsk_live_…` in live mode. The mode of the key is the mode of every object that it reaches.',
  ],
  courier: [
    'courierToken',
    'Access token of a courier, from `POST /auth/token` with a one-time code. Renew it with the refresh token.',
  ],
  staff: [
    'staffToken',
    'Access token of a member of staff, from `POST /auth/token` with a password. The roles of the member decide what they may do.',
  ],
  internal: ['serviceToken', 'Signed token of an internal service.'],
  scraper: ['metricsToken', 'The `METRICS_TOKEN` of the server.'],
} as const;

type Header = {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly example: string;
};

/** The headers that a request may carry. */
export const REQUEST_HEADERS = {
  ifMatch: {
    name: 'If-Match',
    description: 'The `ETag` of your last read. If the object has changed since, the answer is 412 `stale_version`.',
    schema: { type: 'string' },
    example: '"3"',
  },
  requestId: {
    name: 'X-Request-Id',
    description:
      'Your own id of the request, 1 to 128 visible ASCII characters. The answer and the log repeat it. The server replaces any other id.',
    schema: { type: 'string' },
    example: 'order-1042-create',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'A key of your choice, 1 to 255 visible ASCII characters, bare or in double quotes. The same request with the same key has one effect and ' +
      'gets the same answer for 72 h. Another body with this key is refused with 422 `idempotency_key_reused`.',
    schema: { type: 'string', pattern: '^("[!#-~]{1,255}"|[!#-~][!-~]{0,254})$' },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  version: {
    name: 'Service-Version',
    description: 'Version of the API that you expect, a date. Without it, the version of your API key is used.',
    schema: { type: 'string', enum: API_VERSIONS },
    example: API_VERSION,
  },
  traceparent: {
    name: 'traceparent',
    description:
      'Your trace (W3C Trace Context). The log repeats its ids, and the answer repeats the header. An invalid one is ignored.',
    schema: { type: 'string' },
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
} as const satisfies Record<string, Header>;

/** The headers that an answer may carry. */
export const RESPONSE_HEADERS = {
  requestId: {
    name: 'X-Request-Id',
    description: 'Id of the request. Name it when you ask for help.',
    schema: { type: 'string' },
    example: 'req_01ja2b3c4d5e6f7g8h9jkmnpqr',
  },
  version: {
    name: 'Service-Version',
    description: 'Version of the API that answered, a date.',
    schema: { type: 'string', format: 'date' },
    example: '2026-11-22',
  },
  etag: {
    name: 'ETag',
    description: 'Version of the delivery. Send it as `If-Match` with a change.',
    schema: { type: 'string' },
    example: '"3"',
  },
  location: {
    name: 'Location',
    description: 'Path of the created object.',
    schema: { type: 'string' },
    example: '/deliveries/del_01ja2b3c4d5e6f7g8h9jkmnpqr',
  },
  link: {
    name: 'Link',
    description: 'Path of the next page with `rel="next"` (RFC 8288). Absent on the last page.',
    schema: { type: 'string' },
    example: '</deliveries?cursor=eyJhdCI6MX0.c2ln>; rel="next"',
  },
  retryAfter: {
    name: 'Retry-After',
    description: 'Whole seconds to wait before the next try. Present if `retryable` is true.',
    schema: { type: 'integer', minimum: 0 },
    example: '1',
  },
  replayed: {
    name: 'Idempotent-Replayed',
    description: '`true` if this is the stored answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  limitPolicy: {
    name: 'RateLimit-Policy',
    description: 'The limit that counted this request: its name, the most requests at once `q`, and their seconds `w`.',
    schema: { type: 'string' },
    example: '"key";q=200;w=2',
  },
  limit: {
    name: 'RateLimit',
    description: 'How many requests are left now (`r`), and in how many seconds the next one comes back (`t`).',
    schema: { type: 'string' },
    example: '"key";r=199;t=1',
  },
  traceparent: {
    name: 'traceparent',
    description: 'The `traceparent` of the request. Absent if it was invalid or missing.',
    schema: { type: 'string' },
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
} as const satisfies Record<string, Header>;

/** The headers of each webhook request. */
export const WEBHOOK_HEADERS: readonly Header[] = [
  {
    name: 'X-Service-Signature',
    description:
      'Time of the attempt and HMAC-SHA256 of `t.body` in hex. The key is the whole secret with its `whsec_`. While a secret is being replaced there is one signature by each.',
    schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
    example: `t=1795348800,v1=${'0a'.repeat(32)}`,
  },
  {
    name: 'webhook-id',
    description: 'Id of the event. It is the same in every attempt, so a receiver can recognise repeats by it.',
    schema: { type: 'string' },
    example: 'evt_01ja2b3c4d5e6f7g8h9jkmnpqr',
  },
  {
    name: 'webhook-timestamp',
    description: 'Time of the attempt in seconds since 1970. Refuse attempts that are older than 5 minutes.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1795348800',
  },
  {
    name: 'webhook-signature',
    description: 'Signature of the Standard Webhooks specification, over `id.timestamp.body`, in base64 after `v1,`.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    example: `v1,${'A'.repeat(43)}=`,
  },
];
