// `npm run attacks [-- options]`: attacks a server and shows how it affects other users.
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
// A client library may still hold connections open, which would keep the process alive.
process.exit();
