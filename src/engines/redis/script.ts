import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Cluster } from 'ioredis';
import type { RedisClient } from './redis-clients.ts';

type Call = { readonly keys: readonly string[]; readonly args: readonly (string | number)[] };

export type Script = (client: RedisClient, keys: Call['keys'], args: Call['args']) => Promise<unknown>;

/**
 * A Lua script of `scripts/`. It is sent whole only to a server that has not seen it yet.
 * @param name the file's name without its ending; the head of the file lists its KEYS and ARGV
 */
export function loadScript(name: string): Script {
  const { sha, orWhole } = read(name);
  return (client, keys, args) => orWhole(client, { keys, args }, client.evalsha(sha, keys.length, ...keys, ...args));
}

/**
 * The same for a script that a process calls several times at once. The calls of one turn of the event loop are one write
 * and one read. A call that fails does not fail the others. On a cluster each call goes by itself, because a pipeline leads
 * to one node.
 */
export function loadPipelined(
  name: string,
  client: RedisClient,
): (...call: [Call['keys'], Call['args']]) => Promise<unknown> {
  const { sha, orWhole } = read(name);
  let waiting: (Call & { readonly resolve: (reply: Promise<unknown>) => void })[] = [];
  const send = (): void => {
    const calls = waiting;
    waiting = [];
    const replies =
      client instanceof Cluster ? sendEach(client, sha, calls) : sendTogether(client.pipeline(), sha, calls);
    for (const [index, call] of calls.entries()) call.resolve(orWhole(client, call, replies(index)));
  };
  return (keys, args) =>
    new Promise((resolve) => {
      if (waiting.push({ keys, args, resolve }) === 1) setImmediate(send);
    });
}

type Replies = (index: number) => Promise<unknown>;

function sendEach(client: Cluster, sha: string, calls: readonly Call[]): Replies {
  const replies = calls.map(({ keys, args }) => client.evalsha(sha, keys.length, ...keys, ...args));
  return async (index) => replies[index];
}

function sendTogether(pipeline: ReturnType<RedisClient['pipeline']>, sha: string, calls: readonly Call[]): Replies {
  for (const { keys, args } of calls) pipeline.evalsha(sha, keys.length, ...keys, ...args);
  const replies = pipeline.exec();
  return async (index) => {
    const [error, reply] = (await replies)?.[index] ?? [
      new Error('a pipeline must have a reply for each of its commands'),
    ];
    if (error !== null) throw error;
    return reply;
  };
}

function read(name: string) {
  const text = readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8');
  return {
    sha: createHash('sha1').update(text).digest('hex'),
    /** The reply of a call. If the server does not know the script, the whole script is sent. */
    orWhole: async (client: RedisClient, { keys, args }: Call, reply: Promise<unknown>): Promise<unknown> => {
      try {
        return await reply;
      } catch (error) {
        // A restarted or promoted server may not know its scripts. Every other error is the caller's. The client of a
        // cluster puts words of its own before the error if it had to look for the node.
        if (!(error instanceof Error && error.message.includes('NOSCRIPT'))) throw error;
        return client.eval(text, keys.length, ...keys, ...args);
      }
    },
  };
}
