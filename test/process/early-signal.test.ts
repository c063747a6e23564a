import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ENVIRONMENT } from '../environment.ts';

test('[Z4] a signal ends a server that has not started yet at once', async () => {
  // A database that takes connections and never answers.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...ENVIRONMENT, PORT: '0', MONGO_URL: `mongodb://${at}/none`, REDIS_URL: `redis://${at}` },
    stdio: 'ignore',
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    silent.close();
  });
  await once(silent, 'connection');
  child.kill('SIGTERM');
  // Without a handler, the first process of a container would ignore the signal.
  expect(await once(child, 'close')).toEqual([143, null]);
});
