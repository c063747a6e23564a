// `npm run bench:solver [-- --repeats N --json]` Measures how fast couriers are listed and orders assigned, and how far
// the cost is from the least possible cost.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { runCommand } from './command-line.ts';
import { wholeOf } from './numbers.ts';
import { compareCases } from './solver/cases.ts';
import { LAYOUTS } from './solver/layout.ts';
import { measure } from './solver/measure.ts';
import { lastLine, AIMS, problemsOf, tableOf } from './solver/verdict.ts';

const USAGE = `npm run bench:solver -- [options]

  --repeats N        different scenes of each size and layout (40)
  --json             print only JSON on stdout
  --help             this text

Places are random in a square of 10 km, or crowded around 12 centres. Each order gets a list of 16 couriers, or 32 if the
orders exceed 0.7 of the couriers. A pair costs the courier's travel time. "above exact" follows from the prices over
all pairs; "listed alone" looks at the pairs listed at first, as the server does. Exits with 1 when an aim is missed.`;

const CASES = 1000;

type Options = { readonly repeats: number; readonly json: boolean };

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const options = { repeats: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  return { repeats: wholeOf('repeats', values.repeats, 40, 1, 10_000), json: values.json ?? false };
}

async function run({ repeats, json }: Options): Promise<void> {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load: loadavg()[0] ?? 0 };
  console.error(`${machine.cores} × ${machine.cpu}, load ${machine.load.toFixed(1)}, Node ${process.version}`);
  if (machine.load > 1) console.error('other programs are running, so the times will be too long');
  const compared = compareCases(CASES);
  const measured = LAYOUTS.flatMap((layout) =>
    AIMS.map(({ orders, couriers }) => {
      console.error(`${orders} × ${couriers}, ${layout}`);
      return measure({ orders, couriers }, layout, repeats);
    }),
  );
  const problems = problemsOf(compared, measured);
  if (json) console.log(JSON.stringify({ machine, node: process.version, repeats, compared, measured, problems }));
  else for (const line of [...tableOf(compared, measured), '', lastLine(problems, measured)]) console.log(line);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) {
  await runCommand({ usage: USAGE, parse: (args) => (asksForHelp(args) ? null : parseOptions(args)), run });
}
