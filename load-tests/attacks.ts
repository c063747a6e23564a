// `npm run attacks [-- options]`: attacks a server, and shows what its other users notice.
import { runPlay } from './command-line.ts';
import { parseAttackOptions, USAGE } from './attacks/options.ts';
import { lastLine, tableOf } from './attacks/report.ts';
import { runAttacks } from './attacks/run.ts';

await runPlay({
  usage: USAGE,
  parse: parseAttackOptions,
  play: (options, say) => runAttacks(options, {}, say),
  tableOf,
  lastLine,
});
// Connections that a client library still holds open have nothing more to say.
process.exit();
