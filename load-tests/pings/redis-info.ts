// Reads Redis's own counts of commands and CPU over a plain connection.
import { once } from 'node:events';
import { connect } from 'node:net';
import { addressOf } from '../engines/address.ts';

export type RedisCount = { readonly calls: ReadonlyMap<string, number>; readonly cpuS: number };

/** Commands since the server's start by name, and user and system seconds of the Redis process. */
export async function countRedis(redisUrl: string): Promise<RedisCount> {
  const socket = connect(addressOf(redisUrl));
  socket.write('INFO commandstats\r\nINFO cpu\r\nQUIT\r\n');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  const calls = new Map<string, number>();
  for (const [, name = '', count] of text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gmu)) calls.set(name, Number(count));
  const seconds = [...text.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gmu)].map(([, value]) => Number(value));
  return { calls, cpuS: seconds.reduce((sum, value) => sum + value, 0) };
}

/** The difference of two counts. Commands that were not called are left out. */
export function between(before: RedisCount, after: RedisCount): RedisCount {
  const calls = [...after.calls].map(([name, count]): [string, number] => [
    name,
    count - (before.calls.get(name) ?? 0),
  ]);
  return { calls: new Map(calls.filter(([, count]) => count > 0)), cpuS: after.cpuS - before.cpuS };
}
