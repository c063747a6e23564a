import type { Dispatcher } from 'undici';
import type { RegistrationId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';
import type { Attempt, Waiting } from '../ports/webhooks.ts';
import type { AddressRules } from './guard-address.ts';
import { createFailureLog, type FailureLog } from './log-tries.ts';
import { createPlaces, type Places } from './places.ts';
import { createReceiverAgent, postAttempt } from './post-attempt.ts';
import { createRounds, type Rounds } from './rounds.ts';

export type Sending = { wake(): void; stop(): Promise<void> };

/** Events that are turned into attempts at a time. */
const FAN_OUT = 200;
/** Machine time between two batches. At 200 events a second, a batch has ten events, so its queries cost little each. */
const FAN_OUT_REST_MS = 50;
/** Registrations in one read. The next read continues after them. */
const MOST_WAITING = 1000;
/** Time for which a read of waiting registrations stays current after new work arrives; machine time. */
const READ_SERVES_MS = 200;
const POLL_MS = 1000;
/** With this answer a receiver says that it wants no more events. */
const GONE = 410;
const GONE_REASON = 'the receiver answered 410';

type Needs = Pick<Context, 'clock' | 'settings' | 'webhooks' | 'log' | 'metrics'>;

/**
 * Sends webhooks in two kinds of rounds. One turns due events into attempts. The other claims due attempts by lease, one
 * registration after the other, and posts them. Each commit of this process calls `wake`, and a poll each second of service
 * time finds what other processes have left. At a high clock scale, the next poll waits for the answer to the last one.
 * Unfinished attempts are due again when their lease ends.
 */
export function startSending(ctx: Needs, rules: AddressRules): Sending {
  const agent = createReceiverAgent(ctx.settings, rules);
  const sender = new Sender(ctx, agent);
  const fanOut = async (): Promise<void> => {
    // Each round handles one batch, so that the rounds can stop between batches.
    const { events, attempts } = await ctx.webhooks.fanOut(FAN_OUT);
    // The poll finds the attempts that another process has made.
    if (attempts > 0) sender.wake();
    if (events === FAN_OUT) fanning.wake();
  };
  const fanning = createRounds(ctx, 'new webhooks', fanOut, FAN_OUT_REST_MS);
  const looking = createRounds(ctx, 'looks for due webhooks', async () => {
    await Promise.all([
      wakeIf(ctx.webhooks.isAnyEventDue(), fanning),
      wakeIf(ctx.webhooks.isAnyAttemptDue(ctx.clock.now()), sender),
    ]);
  });
  const stopPolling = ctx.clock.real.everyTogether(POLL_MS / ctx.clock.scale, looking.wake);
  fanning.wake();
  sender.wake();
  return {
    wake: () => fanning.wake(),
    stop: async () => {
      stopPolling();
      await looking.stop();
      await fanning.stop();
      await sender.stop();
      await agent.close();
    },
  };
}

async function wakeIf(isDue: Promise<boolean>, rounds: Pick<Rounds, 'wake' | 'isFailing'>): Promise<void> {
  // A round that succeeds after an outage also tells the log that the work goes on.
  if ((await isDue) || rounds.isFailing()) rounds.wake();
}

class Sender {
  readonly #ctx: Needs;
  readonly #dispatcher: Dispatcher;
  readonly #places: Places;
  readonly #failures: FailureLog;
  readonly #rounds: Rounds;
  readonly #tasks = new Set<Promise<void>>();
  /** Registrations with due attempts. */
  #waiting = new Map<RegistrationId, Waiting>();
  /** The registration after which the next read continues; null for the start. */
  #readTo: RegistrationId | null = null;
  /** Records that more may be due than was read. */
  #isStale = false;
  #readAt = 0;
  #isStopped = false;

  constructor(ctx: Needs, dispatcher: Dispatcher) {
    this.#ctx = ctx;
    this.#dispatcher = dispatcher;
    this.#places = createPlaces(ctx.settings.webhooks);
    this.#failures = createFailureLog(ctx);
    this.#rounds = createRounds(ctx, 'due webhooks', async () => {
      if (this.#isStale) await this.#readWaiting();
      await this.#claimInTurn();
    });
  }

  wake(): void {
    this.#isStale = true;
    this.#rounds.wake();
  }

  isFailing(): boolean {
    return this.#rounds.isFailing();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#rounds.stop();
    await Promise.all(this.#tasks);
  }

  async #readWaiting(): Promise<void> {
    const { clock, webhooks } = this.#ctx;
    this.#isStale = false;
    this.#readAt = clock.real.elapsed();
    // The ends of tries add to it during the read.
    this.#waiting = new Map();
    const list = (after: RegistrationId | null) => webhooks.listWaiting(clock.now(), MOST_WAITING, after);
    let waiting = await list(this.#readTo);
    // Those after the last read have had their turns, so it is the turn of the first ones.
    if (waiting.length === 0 && this.#readTo !== null) waiting = await list(null);
    this.#readTo = waiting.length < MOST_WAITING ? null : (waiting.at(-1)?.registrationId ?? null);
    for (const owner of waiting) this.#waiting.set(owner.registrationId, owner);
  }

  /** Gives each waiting registration its turn, until there are no places or the list must be read again. */
  async #claimInTurn(): Promise<void> {
    const { clock, settings, webhooks } = this.#ctx;
    const { leaseMs, totalRealMs } = settings.webhooks;
    // The lease is in service time and a try in machine time. The lease must last longer at any clock scale.
    const safeLeaseMs = Math.max(leaseMs, 2 * totalRealMs * clock.scale);
    do {
      const turn = this.#places.next(this.#waiting.values());
      if (turn === null) return;
      const { owner, room: limit } = turn;
      const claim = { now: clock.now(), leaseMs: safeLeaseMs, limit };
      // The end of a try may add it again during the claim, which did not see the attempt that has become due.
      this.#waiting.delete(owner.registrationId);
      const { attempts, ended, isMore } = await webhooks.claimDue(owner.registrationId, claim);
      for (const attempt of attempts) this.#begin(owner, attempt);
      for (const attempt of ended) this.#failures.tellEnded(attempt);
      if (isMore) this.#waiting.set(owner.registrationId, owner);
    } while (!this.#mustRead() && !this.#isStopped);
  }

  /** Says whether the list is stale. New events arrive all the time, so one read serves many turns. */
  #mustRead(): boolean {
    return this.#isStale && this.#ctx.clock.real.elapsed() - this.#readAt >= READ_SERVES_MS;
  }

  #begin(owner: Waiting, attempt: Attempt): void {
    const leave = this.#places.take(owner);
    // A slow database must not make a receiver count as slow.
    const task = this.#send(attempt).then(({ tookMs, isNextDue }) => {
      leave(tookMs);
      this.#tasks.delete(task);
      // The next event of the delivery must not wait for the poll.
      if (isNextDue) this.#waiting.set(owner.registrationId, owner);
      this.#rounds.wake();
    });
    this.#tasks.add(task);
  }

  /** Makes a try and records it. Returns how long the receiver took, ms, and whether this made another attempt due. */
  async #send(attempt: Attempt): Promise<{ tookMs: number; isNextDue: boolean }> {
    let isNextDue = false;
    const { webhooks, log, metrics } = this.#ctx;
    const posted = await postAttempt(this.#ctx, attempt, this.#dispatcher);
    const { outcome, nextAt } = posted;
    this.#failures.tellTry(attempt, posted);
    metrics.count('webhook_tries_total', { result: outcome.error === null ? 'ok' : 'failed' });
    metrics.observe('webhook_try_seconds', outcome.tookMs / 1000, {});
    try {
      // Before the record, which lets the next event of the delivery go.
      if (outcome.status === GONE) await webhooks.disable(attempt.registration, GONE_REASON);
      isNextDue = await webhooks.record(attempt.lease, outcome, nextAt);
    } catch (error) {
      // The result is lost. After the lease the receiver gets the same event id again.
      log.warn({ attempt: attempt.id, error }, 'a webhook try could not be recorded');
    }
    return { tookMs: outcome.tookMs, isNextDue };
  }
}
