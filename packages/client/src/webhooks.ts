import type { Event } from './generated/types.ts';

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The event that `POST /webhooks/{id}/test` sends. It has no delivery. */
export type WebhookTest = Pick<Event, 'id' | 'object' | 'api_version' | 'created_at' | 'live_mode'> & {
  readonly type: 'webhook.test';
  readonly vendor_id: string;
  readonly data: Readonly<Record<string, never>>;
};

/** Why a request is not believed. `stale` means that its time is too far from the clock of the receiver. */
export type WebhookFault = 'unsigned' | 'stale' | 'wrong_signature' | 'not_an_event';

/** The request is not from the service, or it is an old one that somebody sends again. Answer it with 401. */
export class UnverifiedWebhook extends Error {
  override readonly name = 'UnverifiedWebhook';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(`the webhook was not verified: ${fault}`);
    this.fault = fault;
  }
}

export type VerifyOptions = {
  /** Most seconds between the time of the signature and the clock; 300 by default. */
  readonly toleranceS?: number;
  /** The clock, seconds since 1970. */
  readonly nowS?: number;
};

const TOLERANCE_S = 300;
/** Signatures of one request that are tried. The service sends at most two, while a secret is replaced. */
const MOST_SIGNATURES = 4;
const PREFIX = 'whsec_';

type Signed = {
  readonly timeS: number;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
};
type Scheme = {
  readonly read: (headers: WebhookHeaders, body: Uint8Array) => Signed | null;
  readonly keyOf: (secret: string) => Uint8Array<ArrayBuffer> | null;
};

/** `X-Service-Signature`: the whole secret signs `t.body`. */
const SERVICE: Scheme = { read: readService, keyOf: bytesOf };
/** Standard Webhooks: the decoded secret signs `id.timestamp.body`. */
const STANDARD: Scheme = {
  read: readStandard,
  keyOf: (secret) => decode(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret),
};

/**
 * Verifies the signature of a webhook and returns its event, which may be the test of a registration. It reads both schemes of the service, and uses WebCrypto, so
 * that it also runs at the edge.
 * @param body the body exactly as it arrived, before any parsing
 * @param secrets the secret of the registration; during a rotation the old and the new one
 * @throws UnverifiedWebhook
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceS = TOLERANCE_S, nowS = Date.now() / 1000 }: VerifyOptions = {},
): Promise<Event | WebhookTest> {
  const bytes = typeof body === 'string' ? bytesOf(body) : body;
  const scheme = headerOf(headers, 'x-service-signature') === '' ? STANDARD : SERVICE;
  const signed = scheme.read(headers, bytes);
  if (signed === null) throw new UnverifiedWebhook('unsigned');
  if (Math.abs(nowS - signed.timeS) > toleranceS) throw new UnverifiedWebhook('stale');
  for (const secret of [secrets].flat()) {
    if (await isSignedWith(scheme.keyOf(secret), signed)) return parseEvent(bytes);
  }
  throw new UnverifiedWebhook('wrong_signature');
}

async function isSignedWith(secret: Uint8Array<ArrayBuffer> | null, { signatures, content }: Signed): Promise<boolean> {
  // An empty key would make signatures that anybody can make.
  if (secret === null || secret.length === 0) return false;
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures.slice(0, MOST_SIGNATURES)) {
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
  }
  return false;
}

function readService(headers: WebhookHeaders, body: Uint8Array): Signed | null {
  const fields = headerOf(headers, 'x-service-signature').split(',');
  const time = fields.find((field) => field.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time)) return null;
  const hex = fields.flatMap((field) => /^v1=([0-9a-f]{64})$/.exec(field)?.[1] ?? []);
  const signatures = hex.map((text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
  return { timeS: Number(time), content: join(bytesOf(`${time}.`), body), signatures };
}

function readStandard(headers: WebhookHeaders, body: Uint8Array): Signed | null {
  const [id, time, text] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || id === '' || time === undefined || !/^\d{1,12}$/.test(time)) return null;
  const signatures = (text ?? '').split(' ').flatMap((one) => {
    const decoded = one.startsWith('v1,') ? decode(one.slice(3)) : null;
    return decoded === null ? [] : [decoded];
  });
  return { timeS: Number(time), content: join(bytesOf(`${id}.${time}.`), body), signatures };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof entry === 'string' ? entry : (entry?.[0] ?? '');
}

function parseEvent(bytes: Uint8Array): Event | WebhookTest {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof parsed === 'object' && parsed !== null && 'object' in parsed && parsed.object === 'event')
      return parsed as Event | WebhookTest;
  } catch {
    // Signed bytes that are not JSON are reported below, like any other body that is not an event.
  }
  throw new UnverifiedWebhook('not_an_event');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    // Not base64: no signature and no key of the service.
    return null;
  }
}

function join(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
}
