// `npm run chaos:dispatch [-- options]`: runs thousands of deliveries while it kills and freezes servers, leaders and
// Redis.
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
// A client library may still hold connections open, which would keep the process alive.
process.exit();
