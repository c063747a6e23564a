// `npm run bench:drain [-- options]` Measures how clients leave a server that stops, and what the other server notices.
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { lastLine, tableOf, type DrainReport } from './drain/report.ts';
import { runDrain, type DrainOptions } from './drain/run.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { wholeOf } from './numbers.ts';

const USAGE = `npm run bench:drain -- [options]

  --clients N      connections of the server that stops (2000)
  --following P    clients that leave by themselves after the warning, percent (50)
  --quiet S        seconds of events before the stop, to compare with (15)
  --json FILE      write all figures there
  --help           this text

Starts its own engines and two servers, and sends SIGTERM to one of them. The bench fails if the clients leave at a rate that
differs by over 15 % from an even one, if a client is told to stay away or does not come back, if an event is lost, if the
events of the other server are later than twice their p99 before, or if the server does not end with exit code 0 in time.`;

type Options = DrainOptions & { readonly json: string | null };

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { clients: text, following: text, quiet: text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    clients: wholeOf('clients', values.clients, 2000, 1, 20_000),
    following: wholeOf('following', values.following, 50, 0, 100),
    quietS: wholeOf('quiet', values.quiet, 15, 1, 600),
    json: values.json ?? null,
  };
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  const play = (options: Options, say: (line: string) => void): Promise<DrainReport> =>
    withOwnEngines('bench-drain-', (engines) => runDrain({ ...engines, prefix: '' }, options, say));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The clients' connections would keep the process alive.
  process.exit();
}
