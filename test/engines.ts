import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export type TestEngines = {
  readonly database: string;
  /** The URL names the database. */
  readonly mongoUrl: string;
  readonly redisUrl: string;
  /** The prefix of every key, so that test files do not meet in Redis. */
  readonly keyPrefix: string;
};

/**
 * How long to wait for Redis. With a proxy that makes outages it is as long as a server waits. Otherwise it is longer,
 * since a test's process may stall for seconds.
 */
export function patienceWith(redisUrl: string): { commandMs: number; silentMs: number } | undefined {
  return redisUrl === inject('redisUrl') ? { commandMs: 30_000, silentMs: 60_000 } : undefined;
}

/**
 * The engines of this run, with a database and a key prefix of their own: one call per test file.
 * @param name shows in the database which test file it belongs to
 */
export function testEngines(name: string): TestEngines {
  const own = `t_${name.replaceAll(/[^a-z0-9]+/gi, '_').slice(0, 30)}_${randomBytes(5).toString('hex')}`;
  const [, hosts = '', options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(inject('mongoUrl')) ?? [];
  return { database: own, mongoUrl: `${hosts}/${own}${options}`, redisUrl: inject('redisUrl'), keyPrefix: `${own}:` };
}
