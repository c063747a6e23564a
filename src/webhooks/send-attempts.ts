import type { Dispatcher } from 'undici';
import type { RegistrationId } from '../domain/ids.ts';
import type { Attempt, Context } from '../ports.ts';
import type { AddressRules } from './guard-address.ts';
import { createReceiverAgent, postAttempt } from './post-attempt.ts';

export type Sending = { wake(): void; stop(): Promise<void> };

/** How many events one round turns into attempts. */
const FAN_OUT = 200;
const POLL_MS = 1000;

type Needs = Pick<Context, 'clock' | 'settings' | 'webhooks' | 'log' | 'metrics'>;

/**
 * Sends webhooks: fans due events out to attempts, claims due attempts by lease and posts them. `wake` is the event
 * log's call; a poll each second of service time is the guarantee. What this process does not finish before it dies is
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
  readonly #running = new Map<RegistrationId, number>();
  readonly #tasks = new Set<Promise<void>>();
  #round: Promise<void> | null = null;
  #isAsked = false;
  #isStopped = false;

  constructor(ctx: Needs, dispatcher: Dispatcher) {
    this.#ctx = ctx;
    this.#dispatcher = dispatcher;
  }

  /** Starts a round, or one more after the present one. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isAsked = true;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = null;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#round;
    await Promise.all(this.#tasks);
  }

  async #rounds(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false;
      try {
        while ((await this.#ctx.webhooks.fanOut(FAN_OUT)) > 0 && !this.#isStopped);
        await this.#claimAll();
      } catch (error) {
        // The database is away: everything is still there when the next poll finds it back.
        this.#ctx.log.warn({ error: String(error) }, 'webhooks wait for the database');
        return;
      }
    }
  }

  async #claimAll(): Promise<void> {
    const { clock, settings, webhooks } = this.#ctx;
    const { leaseMs, totalRealMs, perProcess } = settings.webhooks;
    // The lease is service time, a try takes machine time: it must outlive the try however fast service time runs.
    const safeLeaseMs = Math.max(leaseMs, 2 * totalRealMs * clock.scale);
    while (!this.#isStopped && this.#tasks.size < perProcess) {
      const attempt = await webhooks.claimDue(clock.now(), safeLeaseMs, this.#busy());
      if (attempt === null) return;
      this.#begin(attempt);
    }
  }

  #busy(): RegistrationId[] {
    const most = this.#ctx.settings.webhooks.perRegistration;
    return [...this.#running].filter(([, count]) => count >= most).map(([id]) => id);
  }

  #begin(attempt: Attempt): void {
    const { id } = attempt.registration;
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
    const task = this.#send(attempt).finally(() => {
      const left = (this.#running.get(id) ?? 1) - 1;
      if (left === 0) this.#running.delete(id);
      else this.#running.set(id, left);
      this.#tasks.delete(task);
      this.wake();
    });
    this.#tasks.add(task);
  }

  async #send(attempt: Attempt): Promise<void> {
    const { webhooks, log, metrics } = this.#ctx;
    const { outcome, nextAt } = await postAttempt(this.#ctx, attempt, this.#dispatcher);
    metrics.count('webhook_tries_total', { result: outcome.error === null ? 'ok' : 'failed' });
    metrics.observe('webhook_try_seconds', outcome.tookMs / 1000);
    try {
      await webhooks.record(attempt.id, outcome, nextAt);
    } catch (error) {
      // Not recorded means not known: the lease runs out and the receiver gets the same event id again.
      log.warn({ attempt: attempt.id, error: String(error) }, 'a webhook try could not be recorded');
    }
  }
}
