// Quotes at a steady rate.
import { request } from 'undici';
import { z } from 'zod';
import { DISTANCE_SOURCES } from '../../src/domain/deliveries/way.ts';
import { atSteadyRate, CONNECTIONS, type Pace } from '../clients/steady-rate.ts';
import type { Pair } from './places.ts';

/** A server, and the key of its vendor. */
export type QuoteTarget = { readonly address: string; readonly apiKey: string };

/** The answer to one quote. `ms` counts from when it was due. */
export type Quoted = {
  readonly ms: number;
  /** Where its distance comes from; null if it failed. */
  readonly source: (typeof DISTANCE_SOURCES)[number] | null;
  /** Why it failed; null if it did not. */
  readonly fault: string | null;
};

/** A client that waits longer has given up. */
const PATIENCE_MS = 5000;
/** The statuses of a quote and of one that an earlier try has made. */
const GOOD = [201, 200];

const Answer = z.object({ distance_source: z.enum(DISTANCE_SOURCES) });

/** Asks for the price of a way between each pair in turn. A quote that fails is one of the results. */
export function sendQuotes(target: QuoteTarget, pace: Pace, pairFor: (sent: number) => Pair): Promise<Quoted[]> {
  return atSteadyRate(pace, async (sent, dueAt): Promise<Quoted> => {
    try {
      const source = await quote(target, pairFor(sent));
      return { ms: performance.now() - dueAt, source, fault: null };
    } catch (error) {
      // The report names it, and the other quotes go on.
      return { ms: performance.now() - dueAt, source: null, fault: String(error) };
    }
  });
}

async function quote({ address, apiKey }: QuoteTarget, [from, to]: Pair): Promise<Quoted['source']> {
  const answer = await request(`${address}/express/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ pickup: { coordinates: from }, drop_off: [{ coordinates: to }] }),
    dispatcher: CONNECTIONS,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await answer.body.text();
  if (!GOOD.includes(answer.statusCode)) throw new Error(`${answer.statusCode} ${text.slice(0, 300)}`);
  return Answer.parse(JSON.parse(text)).distance_source;
}
