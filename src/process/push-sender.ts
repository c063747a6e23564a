import type { Push } from '../ports/offers.ts';
import type { Log } from '../ports/process.ts';

/**
 * The push service of an installation that has none: what would wake a phone is logged. The app of a courier who is away
 * shows the offer when it connects by itself.
 */
export function createPushSender(log: Log): Push {
  return {
    offer: async ({ courierId, offerId, ttlRealMs }) =>
      log.info({ courier: courierId, offer: offerId, ttlRealMs }, 'a phone should be woken (no push service is set)'),
  };
}
