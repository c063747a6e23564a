// `npm run bench:streets [-- DAY] [options]` Plays a day on streets twice: with routes, and with estimates.
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { parseOptions, USAGE } from './streets/options.ts';
import { lastLine, tableOf } from './streets/report.ts';
import { runBoth } from './streets/run.ts';

await runPlay({
  usage: USAGE,
  parse: (args) => (asksForHelp(args) ? null : parseOptions(args)),
  play: (options, say) => runBoth(options, {}, say),
  tableOf,
  lastLine,
});
// A client library may still hold connections open, which would keep the process alive.
process.exit();
