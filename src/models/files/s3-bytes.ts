import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { S3mini } from 's3mini';
import type { FileBytes } from '../../ports/files.ts';

/** The bucket of an S3 service, and the credential for it. */
export type S3Bucket = {
  /** The address of the service with the name of the bucket: `https://s3.example/bucket`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** Machine time for one request to the service. */
const DEADLINE_MS = 15_000;

/** Keeps the content of files in a bucket of an S3 service. */
export function createS3Bytes({ url, region, accessKeyId, secretAccessKey }: S3Bucket): FileBytes {
  const bucket = new S3mini({ endpoint: url, region, accessKeyId, secretAccessKey, requestAbortTimeout: DEADLINE_MS });
  return {
    put: async (id, content, type) => void (await bucket.putObject(id, Buffer.from(content), type)),
    read: async (id) => {
      const answer = await bucket.getObjectResponse(id);
      const body = answer?.body ?? null;
      return body === null ? null : Readable.fromWeb(body as ReadableStream);
    },
    remove: async (id) => void (await bucket.deleteObject(id)),
  };
}
