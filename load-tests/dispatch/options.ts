import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { numberOf, wholeOf } from '../numbers.ts';
import type { PlayOptions } from './play/outcome.ts';

export type BenchOptions = PlayOptions & {
  /** Days, or folders of days. */
  readonly paths: readonly string[];
  /** The folder for the solution files. Null writes no files. */
  readonly out: string | null;
  readonly json: boolean;
  readonly workers: number;
  /** A table with the figures of another policy to compare with. */
  readonly compare: string | null;
  readonly help: boolean;
};

export const USAGE = `npm run bench:dispatch -- DAYS... [options]

  Plays days with the server's matcher and with "nearest idle courier at once",
  minute by minute, proves that what came out could be carried out, and measures both.

  DAYS               day folders, or folders of day folders (restaurants.txt orders.txt
                     couriers.txt instance_parameters.txt in each)
  --accept P         chance that a courier accepts an offer; a refusal costs a minute (1)
  --prep known|mean  ready times are known at placement, or only the restaurant's mean
                     preparation time is until the order is ready (known)
  --out DIR          write the matcher's solution of each day to DIR/<day>/, in the evaluator's format
  --json             print only JSON (use npm run --silent to keep npm quiet)
  --compare FILE     a csv with the columns instance and ref_all_ctd to compare with
  --seed N           the same seed gives the same outcome (1)
  --workers N        days played at a time (one a core)
  --help             this text`;

const MOST_WORKERS = 64;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      accept: { type: 'string' },
      prep: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean' },
      compare: { type: 'string' },
      seed: { type: 'string' },
      workers: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  const help = values.help ?? false;
  if (positionals.length === 0 && !help) throw new Error('name at least one day folder, or a folder of them');
  const accept = values.accept === undefined ? 1 : numberOf(values.accept);
  if (!(accept >= 0 && accept <= 1)) throw new Error('--accept must be a number from 0 to 1');
  const prep = values.prep ?? 'known';
  if (prep !== 'known' && prep !== 'mean') throw new Error('--prep must be known or mean');
  return {
    paths: positionals,
    accept,
    prep,
    out: values.out ?? null,
    json: values.json ?? false,
    compare: values.compare ?? null,
    seed: wholeOf('seed', values.seed, 1, 0, 4_294_967_295),
    workers: wholeOf('workers', values.workers, Math.min(availableParallelism(), MOST_WORKERS), 1, MOST_WORKERS),
    help,
  };
}
