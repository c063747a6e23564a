// `npm run bench:outage [-- options]` Measures what a server with a whole fleet does while its Redis is dead, and while it hangs.
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { wholeOf } from './numbers.ts';
import { lastLine, tableOf, type OutageReport } from './outage/report.ts';
import { runOutage, type OutageOptions } from './outage/run.ts';

const USAGE = `npm run bench:outage -- [options]

  --couriers N   couriers who send a ping every 4 s; every hundredth is watched by a reader (8000)
  --seconds N    length of the load before each outage and during it, at least 4 (12)
  --json FILE    write all figures there
  --help         this text

Starts its own engines, a server, and its clients in a process of their own. Redis is killed, and later frozen with SIGSTOP.
The bench fails if the server keeps over 10 MB more at the end of an outage than before it, if a ping or a change of a
delivery fails, if a change takes over 600 ms more than before when Redis goes, if no position is written within 1 s after
Redis is back, or if Redis has an older position of a courier who has pinged since, or none.`;

type Options = OutageOptions & { readonly json: string | null };

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { couriers: text, seconds: text, json: text } });
  return {
    couriers: wholeOf('couriers', values.couriers, 8000, 1, 100_000),
    seconds: wholeOf('seconds', values.seconds, 12, 4, 3600),
    json: values.json ?? null,
  };
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  const play = (options: Options, say: (line: string) => void): Promise<OutageReport> =>
    withOwnEngines('bench-outage-', (engines) => runOutage({ ...engines, prefix: '' }, options, say));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The clients' connections would keep the process alive.
  process.exit();
}
