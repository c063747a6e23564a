import { parseArgs } from 'node:util';
import { parseOptions as parseRun, type RunOptions } from '../simulate/options.ts';

export type StreetsOptions = {
  /** The OpenStreetMap extract. */
  readonly streets: string;
  /** The run whose servers know the routes, and the one whose servers do not. Nothing else differs. */
  readonly routes: RunOptions;
  readonly estimates: RunOptions;
  readonly json: string | null;
};

const DAY = 'examples/day-vaduz';
const STREETS = 'examples/streets/liechtenstein-2015-07-27.osm.pbf';

export const USAGE = `npm run bench:streets -- [DAY] [options]

  DAY                folder of a day on streets (${DAY})
  --streets FILE     the OpenStreetMap extract of these streets
                     (${STREETS})
  --speed S          how many times faster than the day (30)
  --from M --to M    only orders placed in these minutes of the day
  --seed N           seed of the times of rides and of the couriers' answers (1)
  --set NAME=VALUE   a setting of both servers, as in simulate; may be repeated
  --json FILE        write all figures there
  --help             this text

Plays the day twice at once, each time with engines and a server of its own: with a server that knows the routes of the
streets, and with one that estimates. Couriers drive along the streets, and each ride takes the same time in both.`;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): StreetsOptions {
  const text = { type: 'string' } as const;
  const set = { ...text, multiple: true } as const;
  const options = { streets: text, speed: text, from: text, to: text, seed: text, set, json: text };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { streets = STREETS, json = null, set: settings = [], ...rest } = values;
  const [day = DAY, ...others] = positionals;
  const numbers = Object.entries(rest).flatMap(([name, value]) => [`--${name}`, value]);
  const both = [day, ...others, ...numbers, ...settings.flatMap((pair) => ['--set', pair])];
  return {
    streets,
    routes: parseRun(both),
    estimates: parseRun([...both, '--set', 'TRAVEL_ROUTER_URL=']),
    json,
  };
}
