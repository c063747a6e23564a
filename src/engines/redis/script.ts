import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './redis-clients.ts';

export type Script = (
  client: RedisClient,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

/**
 * A Lua script of `scripts/`. It is sent whole only to a server that has not seen it yet.
 * @param name the file's name without its ending; the head of the file lists its KEYS and ARGV
 */
export function loadScript(name: string): Script {
  const text = readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8');
  const sha = createHash('sha1').update(text).digest('hex');
  return async (client, keys, args) => {
    try {
      return await client.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      // A restarted or promoted server may not know its scripts. Every other error is the caller's. The client of a
      // cluster puts words of its own before the error if it had to look for the node.
      if (!(error instanceof Error && error.message.includes('NOSCRIPT'))) throw error;
      return client.eval(text, keys.length, ...keys, ...args);
    }
  };
}
