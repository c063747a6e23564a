// `npm run chaos:dispatch [-- options]`: thousands of deliveries while servers, leaders and Redis are killed and frozen.
import { parseChaosOptions, USAGE } from './chaos-dispatch/options.ts';
import { lastLine, tableOf } from './chaos-dispatch/report.ts';
import { runChaos } from './chaos-dispatch/run.ts';
import { runPlay } from './command-line.ts';

await runPlay({
  usage: USAGE,
  parse: parseChaosOptions,
  play: (options, say) => runChaos(options, {}, say),
  tableOf,
  lastLine,
});
// Connections that a client library still holds open have nothing more to say.
process.exit();
