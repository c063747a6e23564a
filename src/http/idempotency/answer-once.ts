import { Refusal, REFUSALS, type RefusalRow } from '../../domain/refusals/refusals.ts';
import type { Stop } from '../../ports/process.ts';
import type { KeptAnswer, RequestKey, Turn } from '../../ports/requests.ts';
import { Answer, type Work } from '../endpoint.ts';
import type { HttpContext } from '../http-context.ts';
import { commitOnce, onceFor } from './once.ts';

/** How long a request waits for an equal one that is running, machine time. */
const WAIT_MS = 5000;
/** How often it looks whether another process has finished, machine time. */
const LOOK_EVERY_MS = 100;
/** A third of the time after which another process may take over. */
const RENEW_EVERY_MS = 3000;

/** Statuses of refusals that are stored: another try of the same request would be refused likewise. */
const STORED: ReadonlySet<number> = new Set([409, 422]);

/** The result of a try. `answer` is null if there is none yet, or if it is not stored. */
type Settled = { readonly fingerprint: string; readonly answer: KeptAnswer | null };

/** An answer of a request with a key. */
export type Replayable = { readonly answer: KeptAnswer; readonly isReplay: boolean };

/**
 * Runs requests with an `Idempotency-Key`. Requests of this process with one key run one after the other, and the
 * database decides between processes. A stored answer is returned again instead of a second run. The function refuses
 * `idempotency_key_reused` for another body, and `idempotency_in_progress` if an equal request still runs after 5 s.
 */
export function createAnswerOnce(
  ctx: HttpContext,
): (key: RequestKey, status: number, work: Work) => Promise<Replayable> {
  const { clock, requests } = ctx;
  const underWay = new Map<string, Promise<Settled>>();
  /** Takes the request and runs it, if no other process does. */
  const tryOnce = async (key: RequestKey, status: number, work: Work): Promise<Replayable | null> => {
    const taken = await requests.take(key);
    switch (taken.state) {
      case 'ours':
        return { answer: await runTurn(ctx, taken.turn, status, work), isReplay: false };
      case 'answered':
        return { answer: taken.answer, isReplay: true };
      case 'reused':
        throw reused();
      case 'running':
        await clock.real.sleep(LOOK_EVERY_MS);
        return null;
    }
  };
  return async (key, status, work) => {
    const until = clock.real.elapsed() + WAIT_MS;
    while (clock.real.elapsed() < until) {
      const other = underWay.get(key.id);
      if (other === undefined) {
        const own = tryOnce(key, status, work);
        const settled = own.then(
          (result) => ({ fingerprint: key.fingerprint, answer: result?.answer ?? null }),
          // The caller of that request gets the error. For others it only means that there is no answer.
          () => ({ fingerprint: key.fingerprint, answer: null }),
        );
        underWay.set(key.id, settled);
        const result = await own.finally(() => underWay.delete(key.id));
        if (result !== null) return result;
        continue;
      }
      const settled = await Promise.race([other, clock.real.sleep(until - clock.real.elapsed())]);
      if (settled === undefined || settled.answer === null) continue;
      if (settled.fingerprint !== key.fingerprint) throw reused();
      return { answer: settled.answer, isReplay: true };
    }
    throw new Refusal('idempotency_in_progress');
  };
}

/** Runs the request, stores its answer, and returns the stored one. Throws what is not stored. */
async function runTurn(ctx: HttpContext, turn: Turn, status: number, work: Work): Promise<KeptAnswer> {
  const { requests, log } = ctx;
  const stopRenewing = keepRenewing(ctx, turn);
  let answer: KeptAnswer;
  try {
    const own = { ...ctx, commit: commitOnce(ctx, turn) };
    const told = await ctx.audit.withinTry(turn, () => work(own, onceFor(turn)));
    answer = { status: told.status ?? status, headers: told.headers, body: told.body };
  } catch (error) {
    answer = await keepRefusal(ctx, turn, error);
  } finally {
    stopRenewing();
  }
  try {
    return await requests.finish(turn, answer);
  } catch (error) {
    // The effect is stored, and another try will find it. So the caller gets the answer all the same.
    log.warn({ error }, 'the answer of a request could not be stored');
    return answer;
  }
}

/** Renews the right to run a request until it is stopped. Nearly all requests end before the first renewal. */
function keepRenewing({ clock, requests }: Pick<HttpContext, 'clock' | 'requests'>, turn: Turn): Stop {
  const renew = (): void => {
    // A renewal that fails may be made up for by the next one. Without any, another process makes the same effect.
    void requests.renew(turn).catch(() => undefined);
    stop = clock.real.after(RENEW_EVERY_MS, renew);
  };
  let stop = clock.real.after(RENEW_EVERY_MS, renew);
  return () => stop();
}

/** The refusal as an answer to store. Any other error ends this try, and the next one may run at once. */
async function keepRefusal({ requests }: HttpContext, turn: Turn, error: unknown): Promise<KeptAnswer> {
  if (!(error instanceof Refusal)) {
    await ignoreAway(requests.release(turn));
    throw error;
  }
  const { status, passing }: RefusalRow = REFUSALS[error.code];
  if (STORED.has(status) && passing !== true) {
    return { refusal: { code: error.code, told: { ...error.told, detail: error.message } } };
  }
  // After a failure of the server, or in a retry, there may be an effect. The seed must stay.
  await ignoreAway(status >= 500 || turn.isRetry ? requests.release(turn) : requests.forget(turn));
  throw error;
}

/** Without the database the lease lapses by itself. */
async function ignoreAway(work: Promise<void>): Promise<void> {
  await work.catch(() => undefined);
}

function reused(): Refusal {
  return new Refusal('idempotency_key_reused');
}

/** The answer to send. Throws a stored refusal. */
export function openAnswer(answer: KeptAnswer): Answer<unknown> {
  if ('refusal' in answer) throw new Refusal(answer.refusal.code, answer.refusal.told);
  return new Answer<unknown>(answer.body, { status: answer.status, headers: answer.headers });
}
