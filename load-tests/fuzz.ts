// `npm run fuzz [-- options]` Sends random requests to every operation of the OpenAPI document, as each kind of caller.
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { ROLES, type Role } from './fuzz/people.ts';
import { lastLine, tableOf } from './fuzz/report.ts';
import { runFuzz, type FuzzOptions } from './fuzz/run.ts';
import { wholeOf } from './numbers.ts';

const USAGE = `npm run fuzz -- [options]

  --role ROLE    one of ${ROLES.join(', ')}; may be given several times (all)
  --examples N   most random cases of each operation (60)
  --least N      a role with fewer cases fails (10000)
  --only NAME    one operationId; may be given several times (all)
  --seed N       seed of the random requests (1)
  --json FILE    write all figures there
  --help         this text

Installs Schemathesis from PyPI into the user's cache, which needs Python 3.10. Starts its
own engines and a server for each role, and reads the document from that server. The run fails
if a check of Schemathesis fails or an answer has status 500.`;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): FuzzOptions {
  const text = { type: 'string' } as const;
  const many = { type: 'string', multiple: true, default: [] as string[] } as const;
  const options = { role: many, only: many, examples: text, least: text, seed: text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    roles: values.role.length === 0 ? ROLES : values.role.map(roleOf),
    only: values.only,
    examples: wholeOf('examples', values.examples, 60, 1, 10_000),
    leastCases: wholeOf('least', values.least, 10_000, 0, 10_000_000),
    seed: wholeOf('seed', values.seed, 1, 0, 2 ** 31),
    json: values.json ?? null,
  };
}

function roleOf(name: string): Role {
  const role = ROLES.find((known) => known === name);
  if (role === undefined) throw new Error(`--role ${name}: must be one of ${ROLES.join(', ')}`);
  return role;
}

if (import.meta.main) {
  const parse = (args: readonly string[]): FuzzOptions | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play: runFuzz, tableOf, lastLine });
}
