// `npm run bench:store [-- options]` Measures what stored deliveries cost: the time of every GET with many and with few
// stored deliveries, the documents that lists read, and how late due searches begin.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { startEngines } from '../src/embedded/engines.ts';
import { runPlay } from './command-line.ts';
import { wholeOf } from './numbers.ts';
import { GETS } from './store/gets.ts';
import { docsReadBy, latenessOfSearches, timesOf, type Times } from './store/measure.ts';
import { judge, lastLine, tableOf, type StoreReport } from './store/report.ts';
import { openSite, type Site } from './store/site.ts';

const USAGE = `npm run bench:store -- [options]

  --deliveries N  stored deliveries with three events each (1000000); 20,000 of a million are scheduled for other days
  --few N         stored deliveries of the database to compare with (1000)
  --rounds N      number of times that each GET is measured with few and with many in turn (5)
  --seconds S     length of each measurement (3)
  --rate N        requests a second (50)
  --cache-gb N    cache of MongoDB, GiB (1)
  --json FILE     write all figures there
  --help          this text

Starts its own engines and two servers. Each figure is the median of the rounds. The bench fails if a p50 exceeds 1.5 times
the value with few, a p95 exceeds both 1.5 times and 20 ms more, a page reads over 5 × limit + 20 documents, or a search
begins over 2 s late.`;

type Options = {
  readonly deliveries: number;
  readonly few: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly rate: number;
  readonly cacheGb: number;
  readonly json: string | null;
};

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    deliveries: text,
    few: text,
    rounds: text,
    seconds: text,
    rate: text,
    'cache-gb': text,
    json: text,
  };
  const { values } = parseArgs({ args: [...args], options });
  return {
    deliveries: wholeOf('deliveries', values.deliveries, 1_000_000, 500, 10_000_000),
    few: wholeOf('few', values.few, 1000, 500, 1_000_000),
    rounds: wholeOf('rounds', values.rounds, 5, 1, 100),
    seconds: wholeOf('seconds', values.seconds, 3, 1, 600),
    rate: wholeOf('rate', values.rate, 50, 1, 1000),
    cacheGb: wholeOf('cache-gb', values['cache-gb'], 1, 1, 64),
    json: values.json ?? null,
  };
}

async function play(options: Options, say: (line: string) => void): Promise<StoreReport> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-store-'));
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const sites: Site[] = [];
  const stop = async (): Promise<void> => {
    for (const site of sites) await site.close();
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
  // If the bench is interrupted, it stops its engines.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    const place = { dir, mongoUrl: engines.mongoUrl, redisUrl: engines.redisUrl, cacheGb: options.cacheGb, servers: 1 };
    const few = await openSite('few', options.few, place, say);
    sites.push(few);
    const many = await openSite('many', options.deliveries, place, say);
    sites.push(many);
    return await compare(few, many, options, say);
  } finally {
    await stop();
  }
}

async function compare(
  few: Site,
  many: Site,
  { rounds, rate, seconds, deliveries }: Options,
  say: (line: string) => void,
): Promise<StoreReport> {
  const searchesLateMs = await latenessOfSearches(many);
  const docs = await docsReadBy(many);
  const gets = GETS.map(({ name }) => ({ name, small: [] as Times[], large: [] as Times[] }));
  for (const site of [few, many]) for (const get of GETS) await timesOf(site, get, rate, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, get] of GETS.entries()) {
      gets[index]?.small.push(await timesOf(few, get, rate, seconds));
      gets[index]?.large.push(await timesOf(many, get, rate, seconds));
    }
    say(`round ${round + 1} of ${rounds} done`);
  }
  return judge({ deliveries, gets, docs, searchesLateMs });
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
