// `npm run bench:region [-- --couriers 1000,10000,100000 --deliveries 50,660 --runs N --fix-seconds S --json FILE]`
// What a run of a region costs its process with so many couriers in the region and its neighbours: reading, the whole
// run, and how long the thread of the sockets stands still.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEngines } from '../src/embedded/engines.ts';
import { startCases, type CaseResult } from './region/cases.ts';

function readOptions() {
  const string = { type: 'string' as const };
  const { values } = parseArgs({
    options: { couriers: string, deliveries: string, runs: string, 'fix-seconds': string, json: string },
  });
  return {
    couriers: (values.couriers ?? '1000,10000,100000').split(',').map(Number),
    deliveries: (values.deliveries ?? '50,660').split(',').map(Number),
    runs: Number(values.runs ?? 15),
    fixSeconds: Number(values['fix-seconds'] ?? 4),
    json: values.json ?? null,
  };
}

function lineOf(result: CaseResult): string {
  const { couriers, deliveries, chosen, firstReadMs, readMs, runMs, readStallMs, runStallMs, restStallMs } = result;
  return [
    String(couriers).padStart(8),
    String(deliveries).padStart(10),
    String(chosen).padStart(7),
    firstReadMs.toFixed(0).padStart(10),
    ...[readMs, runMs, readStallMs, runStallMs, restStallMs].flatMap(({ p50, p95 }) => [
      `${p50.toFixed(0)} / ${p95.toFixed(0)}`.padStart(13),
    ]),
  ].join(' ');
}

const HEAD =
  'couriers deliveries  chosen first read   read 50/95    run 50/95  read stall    run stall   at rest (ms, p50 / p95)';

async function main(): Promise<void> {
  const options = readOptions();
  const dir = await mkdtemp(join(tmpdir(), 'bench-region-'));
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const cases = await startCases(engines, options.fixSeconds);
  const stop = async (): Promise<void> => {
    await cases.stop();
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
  // Told to stop, a bench takes its engines with it.
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

await main();
process.exit();
