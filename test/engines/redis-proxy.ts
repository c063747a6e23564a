import { onTestFinished } from 'vitest';
import { addressOf } from '../../load-tests/engines/address.ts';
import { openTcpProxy, type TcpProxy } from '../../load-tests/engines/tcp-proxy.ts';

/** A proxy in front of a shared engine, so that an outage hits one test alone. Its URL is a Redis URL. */
export async function redisProxy(engineUrl: string): Promise<TcpProxy & { readonly url: string }> {
  const proxy = await openTcpProxy(addressOf(engineUrl));
  onTestFinished(() => proxy.close());
  return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
}
