// `npm run chaos:money [-- options]`: moves money between wallets while MongoDB fails, and looks for lost and doubled money.
import { parseMoneyOptions, USAGE } from './chaos-money/options.ts';
import { lastLine, tableOf } from './chaos-money/report.ts';
import { runMoney } from './chaos-money/run.ts';
import { runPlay } from './command-line.ts';

await runPlay({ usage: USAGE, parse: parseMoneyOptions, play: runMoney, tableOf, lastLine });
// The drivers' connections would keep the process alive.
process.exit();
