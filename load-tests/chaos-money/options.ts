import { parseArgs } from 'node:util';
import { wholeOf } from '../numbers.ts';

/** How often each kind of fault is made. */
export const FAULTS = { 'step-downs': 10, 'primary-kills': 5, 'failed-commits': 15 } as const;
export type Fault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

export type MoneyOptions = {
  readonly seconds: number;
  readonly workers: number;
  /** Ledgers with connections of their own, as of so many processes. */
  readonly ledgers: number;
  readonly wallets: number;
  readonly faults: Readonly<Record<Fault, number>>;
  /** Commands that must be booked at least. */
  readonly leastBooked: number;
  readonly seed: number;
  readonly json: string | null;
};

export const USAGE = `npm run chaos:money -- [options]

  --seconds S          how long money moves (180)
  --workers N          commands that are under way at the same time (64)
  --ledgers N          ledgers with connections of their own, as of so many processes (2)
  --wallets N          wallets between which the money moves (16)
  --step-downs N       times the primary must step down (10)
  --primary-kills N    kill -9 of the primary (5)
  --failed-commits N   times the next 20 commits fail, in three ways in turn (15)
  --least-booked N     commands that must be booked (20000)
  --seed N             seed of the commands and the faults (1)
  --json FILE          write all figures there
  --help               this text

Starts a replica set of three members of its own. The answer of each command is compared with what is stored at the end,
and the total of all accounts is read under snapshots meanwhile.`;

const NAMES = ['seconds', 'workers', 'ledgers', 'wallets', ...FAULT_NAMES, 'least-booked', 'seed', 'json'] as const;

/** Reads the command line. Null if the caller asks for the usage only. @throws Error with a sentence for the user */
export function parseMoneyOptions(args: readonly string[]): MoneyOptions | null {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options: { ...named, help: { type: 'boolean' as const } } });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  if (given['help'] === true) return null;
  const text = (name: (typeof NAMES)[number]): string | undefined => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const whole = (name: (typeof NAMES)[number], or: number, low: number, high: number): number =>
    wholeOf(name, text(name), or, low, high);
  const faults = FAULT_NAMES.map((fault) => [fault, whole(fault, FAULTS[fault], 0, 100)] as const);
  return {
    seconds: whole('seconds', 180, 1, 86_400),
    workers: whole('workers', 64, 1, 1000),
    ledgers: whole('ledgers', 2, 1, 16),
    wallets: whole('wallets', 16, 2, 1000),
    faults: Object.fromEntries(faults) as MoneyOptions['faults'],
    leastBooked: whole('least-booked', 20_000, 0, 1_000_000_000),
    seed: whole('seed', 1, 0, 4_294_967_295),
    json: text('json') ?? null,
  };
}
