/**
 * The longest wait for the next connection once somebody waits for it, and for a sign of an open one. Also the shortest wait
 * between two repeats of a request that is hurried, ms.
 */
export const HURRY_MS = 4000;
/** The longest wait for the answer to a message, ms. The service itself gives up a phone that is silent for 7 s after a question. */
export const ANSWER_MS = 8000;
/** An answer that takes longer is late: the connection is asked for a sign of life, and again after this time, ms. */
export const LATE_MS = 2000;

/** Waits, unless the signal ends the wait. @throws the reason of the signal */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Waits for work, unless the signal ends the wait. The work itself goes on. @throws the reason of the signal */
export function unlessEnded<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const end = (): void => reject(reasonOf(signal));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('the wait was ended');
}

export type Backoff = {
  /** The longest first wait, ms. It doubles with each further wait. */
  readonly firstMs: number;
  /** The longest wait, ms. */
  readonly mostMs: number;
};

/** A random wait before the next try. Half of it is fixed, so that tries never follow at once. @param tries tries so far */
export function backoffMs({ firstMs, mostMs }: Backoff, tries: number): number {
  const longest = Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 30));
  return longest * (0.5 + Math.random() / 2);
}
