// Requests that are sent at a steady rate, whatever the answers take.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';

/**
 * The client's connections. It does not use `fetch`, whose garbage stopped the client for 35 ms every 3 s at 200 requests
 * a second, on both cores.
 */
export const CONNECTIONS = new Agent({ connections: 128 });

/** Requests a second, and for how long. */
export type Pace = { readonly rate: number; readonly seconds: number };

/**
 * Calls `send` this often a second for this long, with the number of the request and the time at which it is due, and
 * returns all results. A wait that is counted from that time cannot be hidden by a slow server or a late client (Tene's
 * coordinated omission). `send` must not reject, because the others are still under way.
 */
export async function atSteadyRate<T>(
  { rate, seconds }: Pace,
  send: (sent: number, dueAt: number) => Promise<T>,
): Promise<T[]> {
  const answers: Promise<T>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const dueAt = startedAt + (sent * 1000) / rate;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    answers.push(send(sent, dueAt));
  }
  return Promise.all(answers);
}
