import { Refusal } from '../domain/refusals/refusals.ts';
import type { Clock, Log } from '../ports/process.ts';
import { each } from './each.ts';

/** The work of a turn on each row that is due. */
export type DueWork<T> = {
  /** The kind of row, as the log names it: `payout batch`. */
  readonly what: string;
  readonly idOf: (row: T) => string;
  readonly act: (row: T) => Promise<unknown>;
  /** Makes a row that failed due again after a pause that grows. Left out if a claim has already done so, or if the worker itself turns seldom. */
  readonly putOff?: (row: T) => Promise<unknown>;
};

/** Reads rows that are due, and more of them as long as reads are full. */
export type DuePages<T> = {
  readonly list: (limit: number) => Promise<readonly T[]>;
  readonly limit: number;
};

/** Machine time after which a turn begins no further row, so that the parts after it have theirs. */
const MOST_TURN_REAL_MS = 300_000;
/** A rest lasts this many times as long as the row or piece before it took, so that requests find the engines and the process free. */
const RESTS = 2;
const MOST_REST_MS = 100;
const FIRST_PAUSE_MS = 30_000;
const MOST_PAUSE_MS = 6 * 3_600_000;

/** Rests after a piece of work that began at `startedAt` by `elapsed`. */
export async function restAfter(real: Clock['real'], startedAt: number): Promise<void> {
  const restMs = Math.min(RESTS * (real.elapsed() - startedAt), MOST_REST_MS);
  if (restMs > 0) await real.sleep(restMs);
}

/** How long to wait before the next try or look, ms: 30 s after the first one, then twice as long each time, up to 6 h. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), MOST_PAUSE_MS);
}

/**
 * Acts on each row that is due, on as many as `atOnce` at a time. A row that fails is put off and logged, and stops no
 * other row. An error that also keeps the row from being put off concerns more than the row, so it is thrown at the end.
 */
export async function eachDue<T>(
  log: Log,
  rows: readonly T[],
  ownsLease: () => boolean,
  { what, idOf, act, putOff }: DueWork<T>,
  atOnce = 1,
): Promise<void> {
  const actOn = async (row: T): Promise<void> => {
    try {
      await act(row);
    } catch (error) {
      await putOff?.(row);
      // The database or another process was in the way, and not the row.
      if (error instanceof Refusal && error.code === 'busy') return;
      log.error({ what, id: idOf(row), error }, FAILED);
    }
  };
  await each(rows, ownsLease, actOn, atOnce);
}

/**
 * Acts on all rows that are due, one after the other, page after page as long as pages are full. It rests between rows, because
 * thousands of vendors may be due at the same cut-off. It ends with the lease, and after a bounded time. The next turn
 * goes on then.
 */
export async function eachDuePage<T>(
  { clock, log }: { readonly clock: Pick<Clock, 'real'>; readonly log: Log },
  { list, limit }: DuePages<T>,
  ownsLease: () => boolean,
  work: DueWork<T>,
): Promise<void> {
  const { real } = clock;
  const until = real.elapsed() + MOST_TURN_REAL_MS;
  const goesOn = (): boolean => ownsLease() && real.elapsed() < until;
  const act = async (row: T): Promise<void> => {
    const startedAt = real.elapsed();
    try {
      await work.act(row);
    } finally {
      await restAfter(real, startedAt);
    }
  };
  let isFull = true;
  while (isFull && goesOn()) {
    const page = await list(limit);
    await eachDue(log, page, goesOn, { ...work, act });
    isFull = page.length === limit;
  }
}

const FAILED =
  'cannot do what is due for this row, so it is tried again after a pause that grows; the others go on. Repair the cause that the error names';
