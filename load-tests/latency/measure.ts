// The waits of requests of one kind at a steady rate.
import { request } from 'undici';
import { atSteadyRate, CONNECTIONS, type Pace } from '../clients/steady-rate.ts';
import { quantile } from '../statistics.ts';
import type { Kind, Sent } from './requests.ts';

/** Times in ms, from when each request was due to its last byte. */
export type Waits = { readonly p50: number; readonly p99: number; readonly max: number };

/**
 * Sends requests of the kind this often a second for this long, to the servers in turn. A wait begins when its request is due.
 * @throws Error if an answer has another status
 */
export async function waitsOf(
  bases: readonly string[],
  kind: Pick<Kind, 'name' | 'status'>,
  make: () => Sent,
  pace: Pace,
): Promise<Waits> {
  const answers = await atSteadyRate(pace, (sent, dueAt) =>
    waitOf(bases[sent % bases.length] ?? '', kind, make(), dueAt),
  );
  const failed = answers.find((answer) => answer instanceof Error);
  if (failed !== undefined) throw failed;
  const all = answers.filter((answer) => typeof answer === 'number');
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99), max: quantile(all, 1) };
}

/** The wait for one answer, or what is wrong with it. */
async function waitOf(
  base: string,
  kind: Pick<Kind, 'name' | 'status'>,
  sent: Sent,
  dueAt: number,
): Promise<number | Error> {
  try {
    await send(base, kind, sent);
    return performance.now() - dueAt;
  } catch (error) {
    // The others are still under way, so the caller throws it when all have been answered.
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function send(
  base: string,
  { name, status }: Pick<Kind, 'name' | 'status'>,
  { method, path, headers, body }: Sent,
): Promise<void> {
  const answer = await request(base + path, {
    method,
    headers,
    dispatcher: CONNECTIONS,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== status) throw new Error(`${name}: ${answer.statusCode} ${text.slice(0, 300)}`);
}
