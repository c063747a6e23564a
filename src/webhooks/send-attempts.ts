import type { Dispatcher } from 'undici';
import type { RegistrationId } from '../domain/ids.ts';
import type { Attempt, Context, Waiting } from '../ports.ts';
import type { AddressRules } from './guard-address.ts';
import { createFailureLog, type FailureLog } from './log-tries.ts';
import { createPlaces, type Places } from './places.ts';
import { createReceiverAgent, postAttempt } from './post-attempt.ts';

export type Sending = { wake(): void; stop(): Promise<void> };

/** How many events one round turns into attempts. */
const FAN_OUT = 200;
/** Registrations that one reading knows of; the others have their turn after them. */
const MOST_WAITING = 1000;
const POLL_MS = 1000;

type Needs = Pick<Context, 'clock' | 'settings' | 'webhooks' | 'log' | 'metrics'>;

/**
 * Sends webhooks: fans due events out to attempts, claims due attempts by lease, registration by registration, and posts
 * them. `wake` is the event log's call; a poll each second of service time is the guarantee. What this process does not finish before it dies is
 * due again when its lease ends.
 */
export function startSending(ctx: Needs, rules: AddressRules): Sending {
  const agent = createReceiverAgent(ctx.settings, rules);
  const sender = new Sender(ctx, agent);
  const stopPolling = ctx.clock.every(POLL_MS, () => sender.wake());
  sender.wake();
  return {
    wake: () => sender.wake(),
    stop: async () => {
      stopPolling();
      await sender.stop();
      await agent.close();
    },
  };
}

class Sender {
  readonly #ctx: Needs;
  readonly #dispatcher: Dispatcher;
  readonly #places: Places;
  readonly #failures: FailureLog;
  readonly #tasks = new Set<Promise<void>>();
  /** Registrations with something due, in the order of their turns. */
  #waiting: Waiting[] = [];
  /** Whose turn was last: the next reading of the waiting ones goes on behind it. */
  #last: RegistrationId | null = null;
  #round: Promise<void> | null = null;
  #isAsked = false;
  #hasRoom = false;
  #isStopped = false;

  constructor(ctx: Needs, dispatcher: Dispatcher) {
    this.#ctx = ctx;
    this.#dispatcher = dispatcher;
    this.#places = createPlaces(ctx.settings.webhooks);
    this.#failures = createFailureLog(ctx);
  }

  /** Starts a round, or one more after the present one. */
  wake(): void {
    this.#isAsked = true;
    this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#round;
    await Promise.all(this.#tasks);
  }

  #start(): void {
    if (this.#isStopped) return;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = null;
    });
  }

  async #rounds(): Promise<void> {
    while ((this.#isAsked || this.#hasRoom) && !this.#isStopped) {
      const isAsked = this.#isAsked;
      this.#isAsked = false;
      this.#hasRoom = false;
      try {
        if (isAsked) await this.#readWaiting();
        await this.#claimInTurn();
      } catch (error) {
        // The database is away: everything is still there when the next poll finds it back.
        this.#ctx.log.warn({ error: String(error) }, 'webhooks wait for the database');
        return;
      }
    }
  }

  async #readWaiting(): Promise<void> {
    const { clock, webhooks } = this.#ctx;
    while ((await webhooks.fanOut(FAN_OUT)) > 0 && !this.#isStopped);
    const last = this.#last;
    const behind = await webhooks.listWaiting(clock.now(), MOST_WAITING, last);
    const room = MOST_WAITING - behind.length;
    const before = last === null || room === 0 ? [] : await webhooks.listWaiting(clock.now(), room, null);
    this.#waiting = [...behind, ...before.filter(({ registrationId }) => registrationId <= (last ?? ''))];
  }

  /** Gives each waiting registration its turn: it begins as many attempts as it has room for, and queues again for more. */
  async #claimInTurn(): Promise<void> {
    const { clock, settings, webhooks } = this.#ctx;
    const { leaseMs, totalRealMs } = settings.webhooks;
    // The lease is service time, a try takes machine time: it must outlive the try however fast service time runs.
    const safeLeaseMs = Math.max(leaseMs, 2 * totalRealMs * clock.scale);
    for (let passedOver = 0; passedOver < this.#waiting.length && !this.#isStopped;) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const limit = this.#places.roomFor(next);
      if (limit === 0) {
        this.#waiting.push(next);
        passedOver += 1;
        continue;
      }
      this.#last = next.registrationId;
      const claim = { now: clock.now(), leaseMs: safeLeaseMs, limit };
      const { attempts, ended } = await webhooks.claimDue(next.registrationId, claim);
      for (const attempt of attempts) this.#begin(next, attempt);
      for (const attempt of ended) this.#failures.tellEnded(attempt);
      if (attempts.length + ended.length === limit) this.#waiting.push(next);
      passedOver = 0;
    }
  }

  #begin(owner: Waiting, attempt: Attempt): void {
    const leave = this.#places.take(owner);
    const { real } = this.#ctx.clock;
    const startedAt = real.elapsed();
    const task = this.#send(attempt).finally(() => {
      leave(real.elapsed() - startedAt);
      this.#tasks.delete(task);
      this.#hasRoom = true;
      this.#start();
    });
    this.#tasks.add(task);
  }

  async #send(attempt: Attempt): Promise<void> {
    const { webhooks, log, metrics } = this.#ctx;
    const posted = await postAttempt(this.#ctx, attempt, this.#dispatcher);
    const { outcome, nextAt } = posted;
    this.#failures.tellTry(attempt, posted);
    metrics.count('webhook_tries_total', { result: outcome.error === null ? 'ok' : 'failed' });
    metrics.observe('webhook_try_seconds', outcome.tookMs / 1000);
    try {
      await webhooks.record(attempt.lease, outcome, nextAt);
    } catch (error) {
      // Not recorded means not known: the lease runs out and the receiver gets the same event id again.
      log.warn({ attempt: attempt.id, error: String(error) }, 'a webhook try could not be recorded');
    }
  }
}
