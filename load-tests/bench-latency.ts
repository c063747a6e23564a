// `npm run bench:latency [-- options]` Measures how long callers wait for a delivery, a quote and a create at a steady
// rate, with many stored deliveries, and what each part of a create costs.
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import type { Pace } from './clients/steady-rate.ts';
import { runPlay } from './command-line.ts';
import { withOwnEngines, type StopFirst } from './engines/own-engines.ts';
import { makeAccounts } from './latency/accounts.ts';
import { untilAtRest, withCpu } from './latency/cpu.ts';
import { waitsOf } from './latency/measure.ts';
import { checkHolds } from './latency/holds.ts';
import { partsOf } from './latency/parts.ts';
import { judge, lastLine, tableOf, type LatencyReport, type Level, type Round } from './latency/report.ts';
import { KINDS, type Kind, type Material } from './latency/requests.ts';
import { wholeOf, wholesOf } from './numbers.ts';
import { createRandom } from './random.ts';
import { openSite } from './store/site.ts';

const USAGE = `npm run bench:latency -- [options]

  --deliveries N,N  stored deliveries, one database for each number (100000,1000000)
  --vendors N       vendors whose creates are measured beside those of one vendor (1000)
  --rate N          requests a second (200)
  --seconds S       length of each measurement (60: MongoDB makes a checkpoint every 60 s)
  --rounds N        number of times that each kind of request is measured (3)
  --servers N       servers, which get the requests in turn (1)
  --cache-gb N      cache of MongoDB, GiB (1)
  --json FILE       write all figures there
  --help            this text

Starts its own engines and servers. The client runs on the same machine. Each figure is
the median of the rounds. At the end the ledger is verified, and each open hold must be
that of an open delivery. The bench fails if one is not, or if the p99 of a create exceeds
60 ms with one server or 100 ms with several.`;

type Options = {
  readonly deliveries: readonly number[];
  readonly vendors: number;
  readonly rate: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly cacheGb: number;
  readonly servers: number;
  readonly json: string | null;
};

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    deliveries: text,
    vendors: text,
    rate: text,
    seconds: text,
    rounds: text,
    'cache-gb': text,
    servers: text,
    json: text,
  };
  const { values } = parseArgs({ args: [...args], options });
  return {
    deliveries: wholesOf('deliveries', values.deliveries, [100_000, 1_000_000], 500, 10_000_000),
    vendors: wholeOf('vendors', values.vendors, 1000, 1, 100_000),
    rate: wholeOf('rate', values.rate, 200, 1, 2000),
    seconds: wholeOf('seconds', values.seconds, 60, 1, 600),
    rounds: wholeOf('rounds', values.rounds, 3, 1, 100),
    cacheGb: wholeOf('cache-gb', values['cache-gb'], 1, 1, 64),
    servers: wholeOf('servers', values.servers, 1, 1, 8),
    json: values.json ?? null,
  };
}

const WARM_UP_S = 2;

function play(options: Options, say: (line: string) => void): Promise<LatencyReport> {
  return withOwnEngines('bench-latency-', async (engines) => {
    const place = { ...engines, ...options };
    const levels: Level[] = [];
    for (const deliveries of options.deliveries) {
      levels.push(await measureLevel(deliveries, place, options, say));
    }
    return judge(options, levels);
  });
}

async function measureLevel(
  deliveries: number,
  place: Parameters<typeof openSite>[2] & { readonly stopFirst: StopFirst },
  { vendors, rate, seconds, rounds }: Options,
  say: (line: string) => void,
): Promise<Level> {
  const site = await openSite(`stored_${deliveries}`, deliveries, place, say);
  place.stopFirst(() => site.close());
  try {
    const accounts = await makeAccounts(site, vendors - 1);
    const ids = [...site.stored.byState.values()].flat().map(({ id }) => id);
    const material: Material = { site, accounts, ids, random: createRandom(11) };
    const waits = KINDS.map((kind) => ({ kind, rounds: [] as Round[] }));
    const measure = (kind: Kind, pace: Pace): Promise<Round> =>
      withCpu(site.pids(), pace.rate * pace.seconds, () =>
        waitsOf(site.api.addresses, kind, () => kind.make(material), pace),
      );
    say(`${site.name}: waits until the server is at rest`);
    await untilAtRest(site.pids());
    for (const { kind } of waits) await measure(kind, { rate, seconds: WARM_UP_S });
    for (let round = 0; round < rounds; round += 1) {
      for (const one of waits) one.rounds.push(await measure(one.kind, { rate, seconds }));
      say(`${site.name}: round ${round + 1} of ${rounds} done`);
    }
    const parts = await partsOf(material);
    return { deliveries, waits, parts, faults: await checkHolds(site.mongo) };
  } finally {
    await site.close();
  }
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
