import { parseArgs } from 'node:util';
import type { Coordinates } from '../day/day.ts';
import { placeOf } from '../numbers.ts';
import { parseSettings } from '../servers/server-settings.ts';
import type { StageOptions } from '../servers/stage.ts';
import type { KillOptions } from '../servers/trouble.ts';

export type RunOptions = StageOptions &
  KillOptions & {
    readonly day: string;
    /** Only orders that are placed in these minutes of the day. Null takes all. */
    readonly fromMin: number | null;
    readonly toMin: number | null;
    /** The centre of the day's plane on the globe. Null takes the origin of the day, or else the centre of the demo. */
    readonly origin: Coordinates | null;
    /** An OpenStreetMap extract, along whose streets couriers drive. Null if they drive straight. */
    readonly streets: string | null;
    readonly json: string | null;
    /** Chance that a courier accepts an offer. */
    readonly acceptance: number;
    /** Recipients who watch at a time. */
    readonly recipients: number;
  };

export const USAGE = `npm run simulate -- DAY [options]

  DAY                folder with restaurants.txt orders.txt couriers.txt instance_parameters.txt
  --speed S          how many times faster than the day (30)
  --servers N        server processes (1)
  --kills K          kill -9 of a server, spread over the day; each starts again after 2 s (0)
  --from M --to M    only orders placed in these minutes of the day
  --origin LAT,LNG   the centre of the day's plane on the globe, if the day names no place itself
  --streets FILE     an OpenStreetMap extract (.osm.pbf); couriers drive along its streets, and the
                     servers know its routes; --set TRAVEL_ROUTER_URL= leaves them without routes
  --base-url URL     use this running server; its keys are read from --demo
  --demo FILE        facts that a development server writes (.data/demo.json)
  --json FILE        write all figures there
  --seed N           seed of the couriers' answers (1)
  --accept P         chance that a courier accepts an offer (1)
  --recipients N     tracking pages open at a time (20)
  --set NAME=VALUE   a setting of the servers by its name in docs/settings.md, such as
                     DISPATCH_IDLE_CREDIT_MS=0; may be repeated
  --help             this text`;

const NAMES = [
  'speed',
  'servers',
  'kills',
  'from',
  'to',
  'origin',
  'streets',
  'base-url',
  'demo',
  'json',
  'seed',
  'accept',
  'recipients',
] as const;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): RunOptions {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const options = { ...named, set: { type: 'string' as const, multiple: true as const } };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const texts: Readonly<Record<string, string | readonly string[] | undefined>> = values;
  const given = (name: (typeof NAMES)[number]): string | null => {
    const value = texts[name];
    return typeof value === 'string' ? value : null;
  };
  const number = (name: (typeof NAMES)[number], or: number, low: number, high: number): number => {
    const value = Number(given(name) ?? or);
    if (!(value >= low && value <= high)) throw new Error(`--${name} must be a number from ${low} to ${high}`);
    return value;
  };
  const minute = (name: 'from' | 'to'): number | null => (given(name) === null ? null : number(name, 0, 0, 10_000));
  const [day, ...others] = positionals;
  if (day === undefined || others.length > 0) throw new Error('name one day folder');
  const baseUrl = given('base-url');
  const kills = number('kills', 0, 0, 1000);
  if (baseUrl !== null && kills > 0) throw new Error('--kills needs servers of the run: leave out --base-url');
  const origin = given('origin');
  const set = parseSettings(values.set ?? []);
  if (baseUrl !== null && Object.keys(set).length > 0) {
    throw new Error('--set needs servers of the run: leave out --base-url');
  }
  return {
    day,
    speed: number('speed', 30, 0.1, 1000),
    servers: number('servers', 1, 1, 16),
    kills,
    fromMin: minute('from'),
    toMin: minute('to'),
    origin: origin === null ? null : placeOf('origin', origin),
    streets: given('streets'),
    baseUrl: baseUrl?.replace(/\/$/u, '') ?? null,
    demo: given('demo') ?? '.data/demo.json',
    json: given('json'),
    seed: number('seed', 1, 0, 4_294_967_295),
    acceptance: number('accept', 1, 0, 1),
    recipients: number('recipients', 20, 0, 1000),
    set,
  };
}
