// `npm run bench:region [-- options]` Measures what a matcher run costs its process with many couriers in the region
// and its neighbours: the read, the whole run, and how long the run blocks the thread of the sockets.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEngines } from '../src/embedded/engines.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { runCommand } from './command-line.ts';
import { wholeOf, wholesOf } from './numbers.ts';
import { startCases, type CaseResult } from './region/cases.ts';

const USAGE = `npm run bench:region -- [options]

  --couriers N,N     couriers in the region and its neighbours (1000,10000,100000)
  --deliveries N,N   deliveries that wait for a courier (50,660)
  --runs N           runs of each case, a second between them (15)
  --fix-seconds S    each courier sends a fix this often (4)
  --json FILE        write all figures there
  --help             this text

Starts its own engines. "chosen" is the number of couriers that the matcher reads. "first read" and
"first run" are those of a process that has just taken over the region. "unplanned" counts runs that got no plan.
"stall" is the longest time that the thread of the sockets is blocked.`;

type Options = {
  readonly couriers: readonly number[];
  readonly deliveries: readonly number[];
  readonly runs: number;
  readonly fixSeconds: number;
  readonly json: string | null;
};

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { couriers: text, deliveries: text, runs: text, 'fix-seconds': text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    couriers: wholesOf('couriers', values.couriers, [1000, 10_000, 100_000], 1, 1_000_000),
    deliveries: wholesOf('deliveries', values.deliveries, [50, 660], 1, 20_000),
    runs: wholeOf('runs', values.runs, 15, 1, 10_000),
    fixSeconds: wholeOf('fix-seconds', values['fix-seconds'], 4, 1, 60),
    json: values.json ?? null,
  };
}

function lineOf(result: CaseResult): string {
  const { couriers, deliveries, chosen, firstReadMs, firstRunMs, unplanned } = result;
  const { readMs, runMs, readStallMs, runStallMs, restStallMs } = result;
  return [
    String(couriers).padStart(8),
    String(deliveries).padStart(10),
    String(chosen).padStart(7),
    firstReadMs.toFixed(0).padStart(10),
    (firstRunMs?.toFixed(0) ?? 'no plan').padStart(9),
    String(unplanned).padStart(9),
    ...[readMs, runMs, readStallMs, runStallMs, restStallMs].flatMap(({ p50, p95 }) => [
      `${p50.toFixed(0)} / ${p95.toFixed(0)}`.padStart(13),
    ]),
  ].join(' ');
}

const HEAD =
  'couriers deliveries  chosen first read first run unplanned   read 50/95    run 50/95  read stall    run stall   at rest (ms, p50 / p95)';

async function run(options: Options): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-region-'));
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const cases = await startCases(engines, options.fixSeconds);
  const stop = async (): Promise<void> => {
    await cases.stop();
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
  // If the bench is interrupted, it stops its engines.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    const results: CaseResult[] = [];
    console.log(HEAD);
    for (const couriers of options.couriers.toSorted((a, b) => a - b)) {
      for (const deliveries of options.deliveries) {
        const result = await cases.play({ couriers, deliveries, runs: options.runs });
        results.push(result);
        console.log(lineOf(result));
      }
    }
    if (options.json !== null) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
  } finally {
    await stop();
  }
}

if (import.meta.main) {
  await runCommand({ usage: USAGE, parse: (args) => (asksForHelp(args) ? null : parseOptions(args)), run });
  // The drivers' connections would keep the process alive.
  process.exit();
}
