import { request } from 'undici';
import { Refusal } from '../../domain/refusals/refusals.ts';

/** Most bytes that are read of an answer. */
const MOST_BYTES = 262_144;
const TOO_MANY = 429;

export type Question = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  /** How long the gateway has, machine time in ms. */
  readonly realMs: number;
};

export type GatewayAnswer = { readonly status: number; readonly json: unknown };

/**
 * Sends a request to a gateway. Refuses `gateway_unavailable` if there is no answer in time, or if the gateway cannot
 * answer now. The gateway may have carried out such a request.
 */
export async function askGateway({ method, url, headers, body, realMs }: Question): Promise<GatewayAnswer> {
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(realMs);
    const answer = await request(url, { method, headers: { ...type, ...headers }, ...sent, signal });
    const text = await readAtMost(answer.body, MOST_BYTES);
    const { statusCode: status } = answer;
    if (status >= 500 || status === TOO_MANY) throw new Refusal('gateway_unavailable');
    return { status, json: JSON.parse(text) };
  } catch (error) {
    // A lost connection, a slow answer and an answer that is not JSON all say nothing about the payment.
    throw error instanceof Refusal ? error : new Refusal('gateway_unavailable');
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
