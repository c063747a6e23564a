import type { Push } from '../ports/offers.ts';
import type { Log } from '../ports/process.ts';

/**
 * Stands in for a push service in an installation that does not have one: it logs each push. The app of a disconnected
 * courier shows the offer when it connects again.
 */
export function createPushSender(log: Log): Push {
  return {
    offer: async ({ courierId, offerId, ttlRealMs }) =>
      log.info(
        { courier: courierId, offer: offerId, ttlRealMs },
        'an offer needs a push to a phone, but no push service is configured',
      ),
  };
}
