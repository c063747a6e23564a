import assert from 'node:assert';
import type { Clock, Stop } from '../../ports/process.ts';
import type { RedisConnections } from './redis.ts';

/**
 * How long a sample is used. If the clock of Redis steps, or another Redis takes over, it is followed within this time.
 */
const SAMPLE_EVERY_MS = 10_000;

/**
 * The time that all processes share: that of Redis, and on a cluster that of one of its nodes. It is the monotonic clock of
 * this process plus an offset that is sampled repeatedly. So no wall clock of a server takes part.
 */
export class RedisTime {
  readonly #redis: RedisConnections;
  readonly #clock: Pick<Clock, 'real'>;
  #offsetMs: number | null = null;

  constructor(redis: RedisConnections, clock: Pick<Clock, 'real'>) {
    this.#redis = redis;
    this.#clock = clock;
  }

  /**
   * Takes the first sample and continues to sample until stopped.
   * @throws Error if Redis is unreachable
   */
  async start(): Promise<Stop> {
    await this.#sample();
    const { commands } = this.#redis;
    // While Redis is unreachable the last sample stays valid: both clocks run at the same speed.
    const again = (): void => void this.#sample().catch(() => undefined);
    const stopSampling = this.#clock.real.every(SAMPLE_EVERY_MS, again);
    commands.on('ready', again);
    return () => {
      stopSampling();
      commands.off('ready', again);
    };
  }

  /** Returns the epoch ms of Redis for a moment of this process's monotonic clock, ms. */
  toRedis(elapsedMs: number): number {
    assert(this.#offsetMs !== null, 'the time of Redis must be sampled before it is used');
    return Math.round(elapsedMs + this.#offsetMs);
  }

  /** Returns the moment of this process's monotonic clock, ms, for epoch ms of Redis. */
  toElapsed(redisMs: number): number {
    assert(this.#offsetMs !== null, 'the time of Redis must be sampled before it is used');
    return redisMs - this.#offsetMs;
  }

  async #sample(): Promise<void> {
    const askedAt = this.#clock.real.elapsed();
    const redisMs = await this.#redis.now();
    const answeredAt = this.#clock.real.elapsed();
    this.#offsetMs = redisMs - (askedAt + answeredAt) / 2;
  }
}
