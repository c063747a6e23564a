import type { RedisClient } from '../../engines/redis/redis-clients.ts';
import type { Stop } from '../../ports/process.ts';

/**
 * Subscribes to the channels of a pattern.
 * @param onHearing called with true when Redis has the subscription, and with false when the connection is lost
 * @returns a function that ends the calls; resolves when Redis has the subscription
 */
export async function hear(
  subscriber: RedisClient,
  pattern: string,
  onMessage: (pattern: string, channel: string, message: string) => void,
  onHearing: (isHearing: boolean) => void,
): Promise<Stop> {
  let losses = 0;
  const onClose = (): void => {
    losses += 1;
    onHearing(false);
  };
  // A connection is ready before Redis has its subscriptions again. The answer to this further one comes after them.
  const subscribe = async (): Promise<void> => {
    const before = losses;
    await subscriber.psubscribe(pattern);
    if (losses === before) onHearing(true);
  };
  // If it fails, the connection was lost again, and the next one subscribes.
  const onReady = (): void => void subscribe().catch(() => undefined);
  subscriber.on('pmessage', onMessage).on('close', onClose).on('ready', onReady);
  await subscribe();
  return () => void subscriber.off('pmessage', onMessage).off('close', onClose).off('ready', onReady);
}
