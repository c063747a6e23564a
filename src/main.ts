import { runServer } from './process/run-server.ts';

// Everything else takes the environment as a value, so that tests can give another one.
// oxlint-disable-next-line node/no-process-env
await runServer(process.env);
