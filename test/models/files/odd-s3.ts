import { createServer, type ServerResponse } from 'node:http';
import { atEnd } from '../../at-end.ts';
import { openPort } from '../../open-port.ts';
import type { S3Bucket } from '../../../src/models/files/s3-bytes.ts';

/** An S3 service that answers as the test says: late, in part or never. A real one cannot be made to do that. */
export async function startOddS3(answer: (key: string, res: ServerResponse) => void): Promise<S3Bucket> {
  const server = createServer(({ url = '' }, res) => answer(url.slice(url.lastIndexOf('/') + 1), res));
  const url = `${await openPort(server)}/files`;
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, region: 'auto', accessKeyId: 'a-key', secretAccessKey: 'a-secret' };
}
