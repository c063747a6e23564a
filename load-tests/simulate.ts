// `npm run simulate -- DAY [options]`: plays a day through the real server, as its users would.
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { parseOptions, USAGE } from './simulate/options.ts';
import { runDay } from './simulate/run.ts';
import { lastLine, tableOf } from './simulate/table.ts';

await runPlay({
  usage: USAGE,
  parse: (args) => (asksForHelp(args) ? null : parseOptions(args)),
  play: (options, say) => runDay(options, {}, say),
  tableOf,
  lastLine,
});
// A client library may still hold connections open, which would keep the process alive.
process.exit();
