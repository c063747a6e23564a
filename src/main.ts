import { runServer } from './process/run-server.ts';

// All other code receives the environment as a value, so that tests can replace it.
// oxlint-disable-next-line node/no-process-env
await runServer(process.env);
