// `npm run chaos:engines [-- options]`: plays a generated day while MongoDB, Redis, servers and a clock fail.
import { parseEnginesOptions, USAGE } from './chaos-engines/options.ts';
import { lastLine, tableOf } from './chaos-engines/report.ts';
import { runEngines } from './chaos-engines/run.ts';
import { runPlay } from './command-line.ts';

await runPlay({ usage: USAGE, parse: parseEnginesOptions, play: runEngines, tableOf, lastLine });
// A client library may still hold connections open, which would keep the process alive.
process.exit();
