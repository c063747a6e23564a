import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Compiling the modules takes a quarter of a start, so what was compiled is kept for the next one. Where the folder cannot
// be written, each start compiles again.
enableCompileCache(path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));
const { runServer } = await import('./process/run-server.ts');

// All other code receives the environment as a value, so that tests can replace it.
// oxlint-disable-next-line node/no-process-env
await runServer(process.env);
