import { parseArgs } from 'node:util';
import { wholeOf } from '../numbers.ts';

export type ChaosOptions = {
  readonly deliveries: number;
  /** Server processes that share one MongoDB and one Redis. */
  readonly servers: number;
  readonly couriers: number;
  readonly seed: number;
  readonly json: string | null;
  /** Machine minutes after which the run gives up. */
  readonly minutes: number;
};

export const USAGE = `npm run chaos:dispatch -- [options]

  --deliveries N   deliveries to create (10000)
  --servers N      server processes (4)
  --couriers N     couriers on Socket.IO (100)
  --seed N         seed of all random choices (1)
  --json FILE      write all figures there
  --minutes M      give up after this many minutes (60)
  --help           this text`;

const NAMES = ['deliveries', 'servers', 'couriers', 'seed', 'json', 'minutes'] as const;

/** Reads the command line. Null if the caller asks for the usage only. @throws Error with a sentence for the user */
export function parseChaosOptions(args: readonly string[]): ChaosOptions | null {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const options = { ...named, help: { type: 'boolean' as const } };
  const { values } = parseArgs({ args: [...args], options });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  if (given['help'] === true) return null;
  const whole = (name: (typeof NAMES)[number], or: number, low: number, high: number): number => {
    const text = given[name];
    return wholeOf(name, typeof text === 'string' ? text : undefined, or, low, high);
  };
  return {
    deliveries: whole('deliveries', 10_000, 1, 1_000_000),
    // Another server must be left to take over.
    servers: whole('servers', 4, 2, 16),
    couriers: whole('couriers', 100, 4, 2000),
    seed: whole('seed', 1, 0, 4_294_967_295),
    json: typeof given['json'] === 'string' ? given['json'] : null,
    minutes: whole('minutes', 60, 1, 1440),
  };
}
