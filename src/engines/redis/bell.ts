import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Bell, Log } from '../../ports/process.ts';
import type { RedisConnections } from './redis.ts';

/**
 * A bell that all processes hear: this one at once, the others by pub/sub. A ring that Redis loses does no harm, since
 * the listeners also look by themselves from time to time.
 * @param name distinguishes it from the other bells of this installation
 */
export function createBell(redis: RedisConnections, log: Log, name: string): Bell & { close(): void } {
  const channel = `${redis.prefix}${name}`;
  const origin = randomBytes(9).toString('base64url');
  const listeners = new Set<(what: string) => void>();
  // A listener works for its own process, and not for the caller whose request rings.
  const asOwn = AsyncLocalStorage.snapshot();
  const hear = (what: string): void => {
    for (const listener of listeners) {
      try {
        asOwn(listener, what);
      } catch (error) {
        // The caller reports a fact and must not fail because a listener fails.
        log.error({ error, bell: name, what }, 'a listener of the bell failed');
      }
    }
  };
  const onMessage = (from: string, message: string): void => {
    if (from === channel && !message.startsWith(origin)) hear(message.slice(origin.length));
  };
  const toldAway = (): void => undefined;
  redis.subscriber.on('message', onMessage);
  // Fails only if the connection is closed for good.
  redis.subscriber.subscribe(channel).catch(toldAway);
  return {
    ring: (what) => {
      hear(what);
      // The outage itself is logged by the connection.
      redis.commands.publish(channel, origin + what).catch(toldAway);
    },
    onRing: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      listeners.clear();
      redis.subscriber.off('message', onMessage);
      redis.subscriber.unsubscribe(channel).catch(toldAway);
    },
  };
}
