import { parseArgs } from 'node:util';
import { wholeOf } from '../numbers.ts';
import { ATTACKS } from './kinds/table.ts';

export type AttackOptions = {
  /** Names of the attacks to run. */
  readonly only: readonly string[];
  /** Length of each quiet phase and of each phase under attack, seconds. Those of a flood may be longer. */
  readonly seconds: number;
  /** How often a quiet phase and one under attack alternate. */
  readonly rounds: number;
  /** A running server to attack instead of a new one, and the file with its demo keys. */
  readonly baseUrl: string | null;
  readonly demo: string;
  /** The process of the running server, to watch its memory. Null if it is not known. */
  readonly pid: number | null;
  readonly json: string | null;
};

export const USAGE = `npm run attacks -- [options]

  Attacks a server while other users work with it, and compares their waits with those in quiet times.

  --only NAME      run this attack; may be repeated (all)
  --seconds N      length of each phase (6); those of a flood last at least 12 s
  --rounds N       how often a quiet phase and a phase under attack alternate (5)
  --base-url URL   attack this running server; its keys are read from --demo
  --demo FILE      facts that a development server writes (.data/demo.json)
  --pid N          the process of that server, to watch its memory
  --json FILE      write all figures there
  --help           this text

Attacks:
${ATTACKS.map(({ name, what }) => `  ${name.padEnd(16)} ${what}`).join('\n')}`;

const NAMES = ['seconds', 'rounds', 'base-url', 'demo', 'pid', 'json'] as const;

/** Reads the command line. Null if the caller asks for the usage only. @throws Error with a sentence for the user */
export function parseAttackOptions(args: readonly string[]): AttackOptions | null {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const options = {
    ...named,
    only: { type: 'string' as const, multiple: true as const },
    help: { type: 'boolean' as const },
  };
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) return null;
  const texts: Readonly<Record<string, unknown>> = values;
  const given = (name: (typeof NAMES)[number]): string | undefined => {
    const text = texts[name];
    return typeof text === 'string' ? text : undefined;
  };
  const pid = given('pid');
  return {
    only: namesOf(values.only ?? []),
    seconds: wholeOf('seconds', given('seconds'), 6, 1, 3600),
    rounds: wholeOf('rounds', given('rounds'), 5, 1, 100),
    baseUrl: given('base-url')?.replace(/\/$/u, '') ?? null,
    demo: given('demo') ?? '.data/demo.json',
    pid: pid === undefined ? null : wholeOf('pid', pid, 0, 1, 4_194_304),
    json: given('json') ?? null,
  };
}

function namesOf(only: readonly string[]): string[] {
  const all = ATTACKS.map(({ name }) => name);
  const unknown = only.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: the attacks are ${all.join(', ')}`);
  return only.length === 0 ? all : all.filter((name) => only.includes(name));
}
