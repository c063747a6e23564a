// `npm run chaos:engines [-- options]`: a made day while MongoDB, Redis, servers and a clock fail.
import { parseEnginesOptions, USAGE } from './chaos-engines/options.ts';
import { lastLine, tableOf } from './chaos-engines/report.ts';
import { runEngines } from './chaos-engines/run.ts';
import { runPlay } from './command-line.ts';

await runPlay({ usage: USAGE, parse: parseEnginesOptions, play: runEngines, tableOf, lastLine });
// Connections that a client library still holds open have nothing more to say.
process.exit();
