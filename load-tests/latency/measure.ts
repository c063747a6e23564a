// The waits of requests that are sent at a steady rate, whatever the answers take.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { quantile } from '../statistics.ts';
import type { Kind, Sent } from './requests.ts';

/**
 * The client's connections. It does not use `fetch`, whose garbage stopped the client for 35 ms every 3 s at 200 requests
 * a second, on both cores.
 */
const CONNECTIONS = new Agent({ connections: 128 });

/** Times in ms, from when each request was due to its last byte. */
export type Waits = { readonly p50: number; readonly p99: number; readonly max: number };

/** Requests a second, and for how long. */
export type Pace = { readonly rate: number; readonly seconds: number };

/**
 * Sends requests of the kind this often a second for this long, to the servers in turn. A wait begins when its request is due, so a slow server
 * or a late client cannot hide waits (Tene's coordinated omission).
 * @throws Error if an answer has another status
 */
export async function waitsOf(
  bases: readonly string[],
  kind: Pick<Kind, 'name' | 'status'>,
  make: () => Sent,
  { rate, seconds }: Pace,
): Promise<Waits> {
  const waits: Promise<number | Error>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const dueAt = startedAt + (sent * 1000) / rate;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    waits.push(waitOf(bases[sent % bases.length] ?? '', kind, make(), dueAt));
  }
  const answers = await Promise.all(waits);
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
