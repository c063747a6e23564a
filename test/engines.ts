import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export type TestEngines = {
  /** Names a database of its own. */
  readonly mongoUrl: string;
  readonly redisUrl: string;
  /** Begins every key, so that test files do not meet in Redis. */
  readonly keyPrefix: string;
};

/**
 * How long to wait for Redis: as long as a server does where a proxy makes an outage, and otherwise longer, since a test's
 * process may stand still for seconds.
 */
export function patienceWith(redisUrl: string): { commandMs: number; silentMs: number } | undefined {
  return redisUrl === inject('redisUrl') ? { commandMs: 30_000, silentMs: 60_000 } : undefined;
}

/**
 * The engines of this run, with a database and a key prefix that nobody else has: one call per test file.
 * @param name tells whose they are, for whoever looks into a database
 */
export function testEngines(name: string): TestEngines {
  const own = `t_${name.replaceAll(/[^a-z0-9]+/gi, '_').slice(0, 30)}_${randomBytes(5).toString('hex')}`;
  const [, hosts = '', options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(inject('mongoUrl')) ?? [];
  return { mongoUrl: `${hosts}/${own}${options}`, redisUrl: inject('redisUrl'), keyPrefix: `${own}:` };
}
