import { S3mini, S3NetworkError, S3ServiceError } from 's3mini';
import { Agent, fetch, type RequestInit } from 'undici';
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

/** The longest silence of the service, machine time. */
const SILENCE_MS = 15_000;
/** The name of the object that the check stores. No file has it as its id. */
const CHECK = 'start-check';
const AWAY = 'The storage of files cannot be reached. Send the same request again in a moment.';

/** Keeps the content of files in a bucket of an S3 service. Its methods refuse `busy` if the service is away. */
export function createS3Bytes({ url: endpoint, ...access }: S3Bucket, silenceMs = SILENCE_MS): S3Bytes {
  // These limits rest while a slow reader takes its time. A deadline for the whole request would cut that reader off.
  const dispatcher = new Agent({
    connect: { timeout: silenceMs },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  const send = (address: string, init: RequestInit) => fetch(address, { ...init, dispatcher });
  // The types of undici and of Node's own copy of it differ.
  const bucket = new S3mini({ endpoint, ...access, fetch: send as never });
  const read = async (id: FileId): Promise<AsyncIterable<Uint8Array> | null> => {
    const body = (await bucket.getObjectResponse(id))?.body ?? null;
    return body === null ? null : begin(body);
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

/** Codes of a connection that failed, or on which the service was silent for too long. */
const LOST = /^(UND_ERR_SOCKET|UND_ERR_\w+_TIMEOUT|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Says whether the service could not be reached, did not answer in time, or has trouble of its own. */
function isAway(error: unknown): boolean {
  if (error instanceof S3ServiceError) return error.status >= 500 || error.status === 429;
  if (error instanceof S3NetworkError) return true;
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && LOST.test(String(cause.code));
}
