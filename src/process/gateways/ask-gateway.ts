import { timingSafeEqual } from 'node:crypto';
import { request } from 'undici';
import { z } from 'zod';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Amount } from '../../money/amount.ts';
import { readMajor } from '../../money/currencies.ts';

/** Most bytes that are read of an answer. */
const MOST_BYTES = 262_144;
/** The gateway refuses our credential, or has no time. Neither says anything about the payment. */
const NOT_ABOUT_IT: ReadonlySet<number> = new Set([401, 403, 408]);
/** The gateway, or a proxy before it, has too many requests and turns this one away before it does anything. */
const TOO_MANY = 429;

export type Question = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  /** How long the gateway has, machine time in ms. */
  readonly realMs: number;
};

type GatewayAnswer = { readonly status: number; readonly json: unknown };

/**
 * Sends a request to a gateway. Refuses `gateway_unavailable` if there is no answer in time, or if the gateway cannot
 * answer now. The gateway may have carried out such a request.
 */
export async function askGateway(question: Question): Promise<GatewayAnswer> {
  const answer = await tellGateway(question);
  if (answer === 'not_taken') throw new Refusal('gateway_unavailable');
  return answer;
}

/**
 * Sends a request that moves money. It refuses as `askGateway` does. `not_taken` proves that the gateway has not carried it out,
 * because it has too many requests.
 */
export async function tellGateway({
  method,
  url,
  headers,
  body,
  realMs,
}: Question): Promise<GatewayAnswer | 'not_taken'> {
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(realMs);
    const answer = await request(url, { method, headers: { ...type, ...headers }, ...sent, signal });
    const text = await readAtMost(answer.body, MOST_BYTES);
    const { statusCode: status } = answer;
    if (status === TOO_MANY) return 'not_taken';
    if (status >= 500 || NOT_ABOUT_IT.has(status)) throw new Refusal('gateway_unavailable');
    return { status, json: JSON.parse(text) };
  } catch (error) {
    // A lost connection, a slow answer and an answer that is not JSON all say nothing about the payment.
    throw error instanceof Refusal ? error : new Refusal('gateway_unavailable');
  }
}

/** The calls of an API: `ask` is `askGateway`, and `tell` is `tellGateway`. */
export type GatewayCalls = {
  readonly ask: (method: Question['method'], path: string, body?: object) => Promise<GatewayAnswer>;
  readonly tell: (path: string, body: object) => Promise<GatewayAnswer | 'not_taken'>;
};

/** The calls of the API at this address, with a secret key. */
export function callsWith({
  key,
  url,
  realMs,
}: Pick<Question, 'url' | 'realMs'> & { readonly key: string }): GatewayCalls {
  const headers = { authorization: `Bearer ${key}` };
  return {
    ask: (method, path, body) =>
      askGateway({ method, url: `${url}${path}`, headers, realMs, ...(body === undefined ? {} : { body }) }),
    tell: (path, body) => tellGateway({ method: 'POST', url: `${url}${path}`, headers, realMs, body }),
  };
}

/** Reads an answer. One that is not as agreed says nothing about the payment. */
export function readAnswer<T>(schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new Refusal('gateway_unavailable');
  return parsed.data;
}

/**
 * Reads the rows of a list. One that is not as agreed must not refuse the others, so it is named with what is wrong in it. Its
 * values are left out, because they may be personal.
 * @param name the field that names a row at the gateway
 */
export function readRows<T>(
  schema: z.ZodType<T>,
  rows: readonly unknown[],
  name: string,
): { readonly read: readonly T[]; readonly unread: readonly string[] } {
  const named = z.object({ [name]: z.union([z.string(), z.number()]) });
  const [read, unread]: [T[], string[]] = [[], []];
  for (const row of rows) {
    const { data, error } = schema.safeParse(row);
    if (error === undefined) read.push(data);
    else {
      const why = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      unread.push(`${named.safeParse(row).data?.[name] ?? 'a row without a name'}: ${why.join('; ')}`);
    }
  }
  return { read, unread };
}

/**
 * Reads an amount in major units. A part of a minor unit cannot be booked, so an answer that has one says nothing that can
 * be used.
 */
export function readMajorAmount(major: number, currency: string): Amount {
  const amount = readMajor(String(major), currency);
  if (amount === null || amount === 0) throw new Refusal('gateway_unavailable');
  return amount;
}

/** Compares texts in a time that does not depend on where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The content of a callback; null if it is not JSON of this form. Call it once the signature has been checked. */
export function readCallbackBody<T>(schema: z.ZodType<T>, body: Buffer): T | null {
  try {
    return schema.safeParse(JSON.parse(body.toString('utf8'))).data ?? null;
  } catch {
    // The sender has signed something that is not JSON. It concerns no top-up.
    return null;
  }
}

async function readAtMost(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
