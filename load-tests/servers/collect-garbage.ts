// Loaded into a process before its own code (`node --import`). On SIGUSR2 it collects all garbage, so that its memory is what
// it needs. Only the main thread gets signals.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: object) => void;

process.on('SIGUSR2', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
