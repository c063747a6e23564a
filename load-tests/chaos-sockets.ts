// `npm run chaos:sockets [-- options]`: readers get the events of changing deliveries while servers and Redis are killed.
import { parseSocketsOptions, USAGE } from './chaos-sockets/options.ts';
import { lastLine, tableOf } from './chaos-sockets/report.ts';
import { runSockets } from './chaos-sockets/run.ts';
import { runPlay } from './command-line.ts';
import { asksForHelp } from '../src/process/command-line.ts';

await runPlay({
  usage: USAGE,
  parse: (args) => (asksForHelp(args) ? null : parseSocketsOptions(args)),
  play: (options, say) => runSockets(options, null, say),
  tableOf,
  lastLine,
});
// A client library may still hold connections open, which would keep the process alive.
process.exit();
