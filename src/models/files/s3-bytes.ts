import type { ReadableStream } from 'node:stream/web';
import { S3mini, S3NetworkError, S3ServiceError } from 's3mini';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { FileId } from '../../domain/ids.ts';
import type { FileBytes } from '../../ports/files.ts';
import { begin } from '../../work/begin.ts';

/** The bucket of an S3 service, and the credential for it. */
export type S3Bucket = {
  /** The address of the service with the name of the bucket: `https://s3.example/bucket`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** Whether the bucket takes files. A service that refuses them gives a code, such as `NoSuchBucket`. */
export type BucketVerdict = { readonly is: 'ready' } | { readonly is: 'away' | 'refused'; readonly why: string };
export type S3Bytes = FileBytes & {
  /** Stores an object and removes it. */
  check(): Promise<BucketVerdict>;
};

/** Machine time for one request to the service. */
const DEADLINE_MS = 15_000;
/** The name of the object that the check stores. No file has it as its id. */
const CHECK = 'start-check';
const AWAY = 'The storage of files cannot be reached. Send the same request again in a moment.';

/** Keeps the content of files in a bucket of an S3 service. Its methods refuse `busy` if the service is away. */
export function createS3Bytes({ url, region, accessKeyId, secretAccessKey }: S3Bucket): S3Bytes {
  const bucket = new S3mini({ endpoint: url, region, accessKeyId, secretAccessKey, requestAbortTimeout: DEADLINE_MS });
  const read = async (id: FileId): Promise<AsyncIterable<Uint8Array> | null> => {
    const body = (await bucket.getObjectResponse(id))?.body ?? null;
    return body === null ? null : begin(body as ReadableStream<Uint8Array>);
  };
  return {
    put: async (id, content, type) => void (await orBusy(bucket.putObject(id, Buffer.from(content), type))),
    read: (id) => orBusy(read(id)),
    remove: async (id) => void (await orBusy(bucket.deleteObject(id))),
    check: async () => {
      try {
        await bucket.putObject(CHECK, 'ready', 'text/plain');
        await bucket.deleteObject(CHECK);
        return { is: 'ready' };
      } catch (error) {
        const why =
          error instanceof S3ServiceError ? `${error.status} ${error.serviceCode ?? ''}`.trim() : String(error);
        return { is: isAway(error) ? 'away' : 'refused', why };
      }
    },
  };
}

async function orBusy<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    // The caller can only try again. Other errors are mistakes of the configuration or of ours, and are logged.
    throw isAway(error) ? new Refusal('busy', { detail: AWAY }) : error;
  }
}

/** Says whether the service could not be reached, did not answer in time, or has trouble of its own. */
function isAway(error: unknown): boolean {
  if (error instanceof S3ServiceError) return error.status >= 500 || error.status === 429;
  return error instanceof S3NetworkError || (error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name));
}
