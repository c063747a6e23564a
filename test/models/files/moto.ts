/** A real S3 server: moto from PyPI, in the cache of fetched programs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { S3mini } from 's3mini';
import { ENVIRONMENT } from '../../environment.ts';
import { installFromPyPi } from '../../pypi.ts';
import type { S3Bucket } from '../../../src/models/files/s3-bytes.ts';

const VERSION = '5.2.5';

/** Starts a server with a bucket. With `checksKeys` it then refuses every credential, because it knows none. */
export async function startMoto(checksKeys: boolean): Promise<{ readonly bucket: S3Bucket; stop(): Promise<void> }> {
  const dir = await installFromPyPi('moto[s3,server]', VERSION);
  const env = { ...ENVIRONMENT, PYTHONPATH: dir, ...(checksKeys ? { INITIAL_NO_AUTH_ACTION_COUNT: '1' } : {}) };
  const server = spawn('python3', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], { env });
  server.stdout.resume();
  let port = '';
  for await (const line of createInterface(server.stderr)) {
    port = /Running on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? '';
    if (port !== '') break;
  }
  server.stderr.resume();
  const bucket = {
    url: `http://127.0.0.1:${port}/files`,
    region: 'auto',
    accessKeyId: 'a-key',
    secretAccessKey: 'a-secret',
  };
  const { url: endpoint, ...credential } = bucket;
  await new S3mini({ endpoint, ...credential }).createBucket();
  return {
    bucket,
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill();
      await once(server, 'exit');
    },
  };
}
