/** A real S3 server: moto from PyPI, in the cache of fetched programs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { S3mini } from 's3mini';
import { cacheDirOf } from '../../../src/embedded/programs/cache.ts';
import { ENVIRONMENT } from '../../environment.ts';
import type { S3Bucket } from '../../../src/models/files/s3-bytes.ts';

const VERSION = '5.2.5';

/** Installs the server once. @throws if pip fails, so that no run leaves these tests out silently */
async function install(): Promise<string> {
  const dir = join(cacheDirOf(ENVIRONMENT), `moto-${VERSION}`);
  if (existsSync(dir)) return dir;
  const making = `${dir}.${process.pid}`;
  await mkdir(making, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', making];
  await promisify(execFile)('python3', [...pip, `moto[s3,server]==${VERSION}`]);
  // A rename is whole or not at all. Another run may have been first.
  await rename(making, dir).catch(() => rm(making, { recursive: true, force: true }));
  return dir;
}

/** Starts a server with a bucket. With `checksKeys` it then refuses every credential, because it knows none. */
export async function startMoto(checksKeys: boolean): Promise<{ readonly bucket: S3Bucket; stop(): Promise<void> }> {
  const dir = await install();
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
