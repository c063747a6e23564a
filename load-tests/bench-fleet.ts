// `npm run bench:fleet [-- options]` Measures servers with a whole fleet of couriers, and readers who watch some of them.
import { parseArgs } from 'node:util';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { lastLine, tableOf, type FleetReport } from './fleet/report.ts';
import { runFleet, type FleetOptions } from './fleet/run.ts';
import { wholeOf } from './numbers.ts';

const USAGE = `npm run bench:fleet -- [options]

  --couriers N   couriers who send a ping every 4 s (20000)
  --readers N    recipients who watch a courier each; at most as many as couriers (2000)
  --servers N    server processes (2)
  --seconds N    length of the load (120)
  --churn N      connections that are closed and opened again in a minute, percent (0)
  --json FILE    write all figures there
  --help         this text

Starts its own engines and servers, and clients in processes of their own. Each delivery changes once during the load.
The bench fails if positions take longer than a tick and 150 ms at p99, if an event is lost, if the event loop of a server is
delayed by over 50 ms at p99, or if a server keeps anything of clients who have left. With 1200 s or more, it also fails if
the memory of a server grows by over 1 MB a minute from the tenth minute on.`;

type Options = FleetOptions & { readonly json: string | null };

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { couriers: text, readers: text, servers: text, seconds: text, churn: text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  const couriers = wholeOf('couriers', values.couriers, 20_000, 1, 100_000);
  return {
    couriers,
    readers: wholeOf('readers', values.readers, Math.min(couriers, 2000), 1, couriers),
    servers: wholeOf('servers', values.servers, 2, 1, 16),
    seconds: wholeOf('seconds', values.seconds, 120, 1, 86_400),
    churn: wholeOf('churn', values.churn, 0, 0, 1000),
    json: values.json ?? null,
  };
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  const play = (options: Options, say: (line: string) => void): Promise<FleetReport> =>
    withOwnEngines('bench-fleet-', (engines) => runFleet({ ...engines, prefix: '' }, options, say));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
