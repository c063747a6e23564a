import { onTestFinished } from 'vitest';
import { openTcpProxy, type TcpProxy } from '../../load-tests/engines/tcp-proxy.ts';

/** A proxy in front of a Redis that others use too, so that an outage hits one test alone. */
export async function redisProxy(redisUrl: string): Promise<TcpProxy & { readonly url: string }> {
  const proxy = await openTcpProxy(Number(new URL(redisUrl).port));
  onTestFinished(() => proxy.close());
  return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
}
