// `npm run bench:quotes [-- options]` Measures how long callers wait for a quote with a route along streets, while the
// server's own Valhalla is killed, and what a route that is known adds to a quote.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import type { Pace } from './clients/steady-rate.ts';
import { runPlay } from './command-line.ts';
import { withDatabase } from './engines/address.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { sumOf } from './fleet/server-metrics.ts';
import { wholeOf } from './numbers.ts';
import { pairOf, placesOnStreets, type Pair } from './quotes/places.ts';
import { judge, lastLine, rowOf, tableOf, type QuotesReport, type Row } from './quotes/report.ts';
import { sendQuotes, type QuoteTarget, type Quoted } from './quotes/send-quotes.ts';
import { firstValhalla, killValhalla } from './quotes/valhalla.ts';
import { createRandom } from './random.ts';
import { startFleet, type Fleet } from './servers/fleet.ts';
import { quantile } from './statistics.ts';

const USAGE = `npm run bench:quotes -- [options]

  --rate N       quotes a second (50)
  --seconds S    length of the quotes of new pairs on each server (180)
  --kills N      kills of Valhalla meanwhile (5)
  --pairs N      pairs that are quoted again (500)
  --rounds N     rounds of known pairs with streets, and as many without (5)
  --round-s S    length of each round (20)
  --json FILE    write all figures there
  --help         this text

Starts its own engines, one server with the streets of Liechtenstein and one without. The client runs on the same machine. First
it quotes pairs of places on streets, none of them twice: without streets, and then with streets while it kills Valhalla. Then it
quotes pairs again whose routes the server knows, in turn on both servers, after a round that is not counted. The bench fails
if a quote is not answered with 201 or 200 within 5 s, if the p99 of new pairs exceeds 400 ms, or if the p50 of known pairs exceeds 1.2 times that without streets.`;

export type Options = {
  readonly rate: number;
  readonly seconds: number;
  readonly kills: number;
  readonly pairs: number;
  readonly rounds: number;
  readonly roundS: number;
  readonly json: string | null;
};

const EXTRACT = resolve(import.meta.dirname, '..', 'examples', 'streets', 'liechtenstein-2015-07-27.osm.pbf');
const MOST_FAULTS = 10;
/** Metrics of a server: its CPU time, and the requests for routes that it has sent. */
const [CPU_S, ROUTES_ASKED] = ['process_cpu_seconds_total', 'street_route_seconds_count'];

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { rate: text, seconds: text, kills: text, pairs: text, rounds: text, 'round-s': text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    rate: wholeOf('rate', values.rate, 50, 1, 1000),
    seconds: wholeOf('seconds', values.seconds, 180, 1, 3600),
    kills: wholeOf('kills', values.kills, 5, 0, 100),
    pairs: wholeOf('pairs', values.pairs, 500, 1, 10_000),
    rounds: wholeOf('rounds', values.rounds, 5, 1, 100),
    roundS: wholeOf('round-s', values['round-s'], 20, 1, 600),
    json: values.json ?? null,
  };
}

type Sites = {
  readonly streets: QuoteTarget;
  /** A server without streets. */
  readonly plain: QuoteTarget;
  /** The data directory of the server with streets. */
  readonly streetsDir: string;
};

/** Starts the engines and both servers, and measures. */
export function play(options: Options, say: (line: string) => void): Promise<QuotesReport> {
  return withOwnEngines('bench-quotes-', async ({ mongoUrl, redisUrl, dir, stopFirst }) => {
    const start = async (name: string, environment: Record<string, string>): Promise<Fleet> => {
      const fleet = await startFleet({
        servers: 1,
        dir: join(dir, name),
        mongoUrl: withDatabase(mongoUrl, name),
        redisUrl,
        scale: 1,
        environment: { REDIS_PREFIX: `${name}:`, ...environment },
      });
      stopFirst(() => fleet.stop());
      return fleet;
    };
    const plain = await start('plain', {});
    const streets = await start('streets', { STREETS_FILE: EXTRACT });
    const sites = { streets: targetOf(streets), plain: targetOf(plain), streetsDir: streets.dirs[0] ?? '' };
    return judge({ rate: options.rate, kills: options.kills, ...(await measure(sites, options, say)) });
  });
}

function targetOf({ addresses: [address = ''], facts }: Fleet): QuoteTarget {
  return { address, apiKey: facts.vendor.api_key };
}

type Measured = Omit<QuotesReport, 'rate' | 'kills' | 'problems'>;

/** Quotes new pairs while Valhalla is killed, and then known pairs in turn on both servers. */
export async function measure(sites: Sites, options: Options, say: (line: string) => void): Promise<Measured> {
  const { rate, seconds } = options;
  const random = createRandom(17);
  say('waits for the tiles and for Valhalla');
  const places = await placesOnStreets(await firstValhalla(sites.streetsDir), random);
  const newPair = (): Pair => pairOf(places, random);
  say(`quotes new pairs of ${places.length} places for ${seconds} s without streets, and then with streets`);
  // Both servers are equally warm afterwards.
  const freshStraight = await sendMeasured(sites.plain, { rate, seconds }, newPair);
  const quoting = sendMeasured(sites.streets, { rate, seconds }, newPair);
  const over = quoting.then(() => performance.now());
  const [fresh, overAt, outages] = await Promise.all([quoting, over, killValhalla(sites.streetsDir, options)]);
  const known = await measureKnown(sites, options, newPair, say);
  const faults = [...freshStraight.quotes, ...fresh.quotes, ...known.quotes].flatMap(({ fault }) => fault ?? []);
  const routed = fresh.quotes.filter(({ source }) => source === 'route');
  return {
    awayS: outages.filter(({ backAt }) => backAt <= overAt).map(({ awayS }) => awayS),
    freshStraight: freshStraight.row,
    fresh: fresh.row,
    routedP99: quantile(
      routed.map(({ ms }) => ms),
      0.99,
    ),
    remembered: known.remembered,
    straight: known.straight,
    asked: known.asked,
    faults: faults.slice(0, MOST_FAULTS),
  };
}

/** Sends quotes, and reads the CPU time that the server takes for them. */
async function sendMeasured(
  site: QuoteTarget,
  pace: Pace,
  pairFor: (sent: number) => Pair,
): Promise<{ readonly quotes: readonly Quoted[]; readonly row: Row }> {
  const before = await readMetric(site, CPU_S);
  const quotes = await sendQuotes(site, pace, pairFor);
  return { quotes, row: rowOf(quotes, (await readMetric(site, CPU_S)) - before) };
}

type Known = {
  readonly remembered: readonly Row[];
  readonly straight: readonly Row[];
  readonly asked: number;
  readonly quotes: readonly Quoted[];
};

/** Quotes pairs that have routes again, in turn with streets and without. */
async function measureKnown(
  { streets, plain }: Sites,
  { rate, pairs, rounds, roundS }: Options,
  newPair: () => Pair,
  say: (line: string) => void,
): Promise<Known> {
  const candidates = Array.from({ length: pairs }, newPair);
  const first = await sendQuotes(streets, { rate, seconds: pairs / rate }, (sent) => candidates[sent] ?? newPair());
  const chosen = candidates.filter((_, at) => first[at]?.source === 'route');
  if (chosen.length === 0) throw new Error('no pair that was quoted first had a route');
  const round = (site: QuoteTarget) =>
    sendMeasured(site, { rate, seconds: roundS }, (sent) => chosen[sent % chosen.length] ?? newPair());
  for (const site of [streets, plain]) await round(site);
  const before = await readMetric(streets, ROUTES_ASKED);
  const [remembered, straight]: [Row[], Row[]] = [[], []];
  const quotes: Quoted[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const turns = [
      { site: streets, rows: remembered },
      { site: plain, rows: straight },
    ];
    // Each server is the first one in every other round.
    for (const { site, rows } of at % 2 === 0 ? turns : turns.toReversed()) {
      const quoted = await round(site);
      rows.push(quoted.row);
      quotes.push(...quoted.quotes);
    }
    say(`known pairs: round ${at + 1} of ${rounds} done`);
  }
  return { remembered, straight, asked: (await readMetric(streets, ROUTES_ASKED)) - before, quotes };
}

async function readMetric({ address }: QuoteTarget, name: string): Promise<number> {
  const answer = await fetch(`${address}/metrics`);
  if (!answer.ok) throw new Error(`GET /metrics answered ${answer.status}`);
  return sumOf(await answer.text(), name);
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
