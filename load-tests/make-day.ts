// `npm run make-day -- --out DIR [--seed N] [--orders N] [--couriers N] [--restaurants N] [--from M] [--to M]`
import { parseArgs } from 'node:util';
import { writeDay } from './day.ts';
import { generateDay, type DayRequest } from './generate-day.ts';

const USAGE = `npm run make-day -- --out DIR [options]

  --out DIR          folder for the four files
  --seed N           the same seed gives the same day (1)
  --orders N         orders in all (400)
  --couriers N       couriers in all (60)
  --restaurants N    (a sixth of the orders, at least 5)
  --from M --to M    minutes of the day in which orders are placed (600 to 1320)`;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseRequest(args: readonly string[]): DayRequest & { out: string } {
  const names = ['out', 'seed', 'orders', 'couriers', 'restaurants', 'from', 'to'] as const;
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const number = (name: string, or: number, least: number): number => {
    const value = Number(values[name] ?? or);
    if (!Number.isInteger(value) || value < least) throw new Error(`--${name} must be a whole number from ${least} up`);
    return value;
  };
  if (typeof values['out'] !== 'string') throw new Error('--out DIR is needed');
  const orders = number('orders', 400, 1);
  const fromMin = number('from', 600, 0);
  return {
    out: values['out'],
    seed: number('seed', 1, 0),
    orders,
    couriers: number('couriers', 60, 1),
    restaurants: number('restaurants', Math.max(5, Math.round(orders / 6)), 1),
    fromMin,
    toMin: number('to', 1320, fromMin + 1),
  };
}

async function main(): Promise<void> {
  try {
    const { out, ...request } = parseRequest(process.argv.slice(2));
    const day = generateDay(request);
    await writeDay(out, day);
    console.log(
      `${out}: ${day.orders.length} orders, ${day.restaurants.length} restaurants, ${day.couriers.length} couriers`,
    );
  } catch (error) {
    // A wrong option or a folder that cannot be written: one sentence and the usage serve the user, a stack does not.
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
