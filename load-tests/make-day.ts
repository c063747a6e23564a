// `npm run make-day -- --out DIR [options]`: generates an ordinary day, or a day with too few couriers for one hour.
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { routesOf } from './clients/routes.ts';
import { runCommand } from './command-line.ts';
import { writeDay, type Coordinates, type Day } from './day/day.ts';
import { generateDay, type DayRequest } from './day/generate-day.ts';
import { generateOverload, type OverloadRequest } from './day/overload-day.ts';
import { generateStreetDay, streetsBy } from './day/street-day.ts';
import { placeOf } from './numbers.ts';
import { withStreets } from './servers/streets.ts';

const USAGE = `npm run make-day -- --out DIR [options]

  --out DIR          folder for the four files
  --seed N           the same seed gives the same day (1)
  --orders N         orders in all (400)
  --couriers N       couriers in all (60)
  --restaurants N    (a sixth of the orders, at least 5)
  --from M --to M    minutes of the day in which orders are placed (600 to 1320)
  --overload F       makes a calm hour, an hour with F times the orders that the couriers
                     can carry, and a calm hour and a half; all couriers always work.
                     Then --couriers and --restaurants default to 30, --from to 690, and
                     the number of orders follows
  --streets FILE     puts every place on a street of this OpenStreetMap extract (.osm.pbf), and the
                     restaurants in the towns of --town
  --town LAT,LNG     the middle of a town, the busiest first; may be repeated
  --help             this text`;

/** The requested day, and the folder for its files. */
export type MakeRequest =
  | ({ readonly kind: 'ordinary'; readonly out: string } & DayRequest)
  | ({ readonly kind: 'overload'; readonly out: string } & OverloadRequest)
  | ({ readonly kind: 'streets'; readonly out: string } & StreetRequest);

type StreetRequest = DayRequest & {
  /** The OpenStreetMap extract. */
  readonly file: string;
  readonly towns: readonly [Coordinates, ...Coordinates[]];
};

const NAMES = ['out', 'seed', 'orders', 'couriers', 'restaurants', 'from', 'to', 'overload', 'streets'] as const;
/** The highest load, as a multiple of the capacity. Above it, nearly all orders are canceled. */
const MOST_OVERLOAD = 10;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseRequest(args: readonly string[]): MakeRequest {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const options = { ...named, town: { type: 'string' as const, multiple: true as const } };
  const { values: given } = parseArgs({ args: [...args], options });
  const { town: towns = [], ...texts } = given;
  const values: Readonly<Record<string, string | undefined>> = texts;
  const number = (name: (typeof NAMES)[number], or: number, least: number): number => {
    const value = Number(values[name] ?? or);
    if (!Number.isInteger(value) || value < least) throw new Error(`--${name} must be a whole number from ${least} up`);
    return value;
  };
  const out = values['out'];
  if (typeof out !== 'string') throw new Error('--out DIR is needed');
  const seed = number('seed', 1, 0);
  if (values['overload'] !== undefined) {
    const overload = Number(values['overload']);
    if (!(overload > 0 && overload <= MOST_OVERLOAD)) {
      throw new Error(`--overload must be a number above 0 and up to ${MOST_OVERLOAD}`);
    }
    if (values['orders'] !== undefined || values['to'] !== undefined) {
      throw new Error('--orders and --to follow from --overload: leave them out');
    }
    if (values['streets'] !== undefined) throw new Error('--overload needs no streets: leave out --streets');
    const couriers = number('couriers', 30, 1);
    const restaurants = number('restaurants', couriers, 1);
    return { kind: 'overload', out, seed, couriers, restaurants, fromMin: number('from', 690, 0), overload };
  }
  const orders = number('orders', 400, 1);
  const fromMin = number('from', 600, 0);
  const request = {
    out,
    seed,
    orders,
    couriers: number('couriers', 60, 1),
    restaurants: number('restaurants', Math.max(5, Math.round(orders / 6)), 1),
    fromMin,
    toMin: number('to', 1320, fromMin + 1),
  };
  const file = values['streets'];
  const [first, ...others] = towns.map((town) => placeOf('town', town));
  if ((typeof file === 'string') !== (first !== undefined)) throw new Error('--streets and --town need each other');
  if (typeof file !== 'string' || first === undefined) return { kind: 'ordinary', ...request };
  return { kind: 'streets', ...request, file, towns: [first, ...others] };
}

async function make(request: MakeRequest): Promise<void> {
  if (request.kind === 'ordinary') return write(request.out, generateDay(request));
  if (request.kind === 'streets') return write(request.out, await onStreets(request));
  const { day, orderMin, capacityPerHour, rush } = generateOverload(request);
  await write(request.out, day);
  const share = Math.round((rush.orders / capacityPerHour) * 100);
  console.log(
    `minutes ${rush.fromMin} to ${rush.toMin}: ${rush.orders} orders, ${share} % of the ${capacityPerHour.toFixed(0)} that ` +
      `${request.couriers} couriers can carry in an hour at ${orderMin.toFixed(1)} min each`,
  );
}

function onStreets({ file, towns, ...request }: StreetRequest): Promise<Day> {
  return withStreets(
    file,
    (line) => console.log(line),
    (url) => generateStreetDay(request, towns, streetsBy(routesOf(url))),
  );
}

async function write(out: string, day: Day): Promise<void> {
  await writeDay(out, day);
  const { orders, restaurants, couriers } = day;
  console.log(`${out}: ${orders.length} orders, ${restaurants.length} restaurants, ${couriers.length} couriers`);
}

if (import.meta.main) {
  await runCommand({
    usage: USAGE,
    parse: (args) => (asksForHelp(args) ? null : parseRequest(args)),
    run: make,
  });
}
