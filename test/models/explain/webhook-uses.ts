import { newId, type RegistrationId, type VendorId } from '../../../src/domain/ids.ts';
import type { WebhookStore } from '../../../src/ports/webhooks.ts';
import { NOON } from '../../builders.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;

/** Calls of every method of the store of webhooks. */
export function webhookCalls(
  webhooks: WebhookStore,
  vendorId: VendorId,
  registrationId: RegistrationId,
  now: number,
): Calls<WebhookStore> {
  const own = { id: registrationId, vendorId, liveMode: true };
  const about = {
    url: 'https://example.com',
    events: ['*'],
    description: null,
    ordering: 'best_effort' as const,
    createdAt: NOON,
    disabled: null,
  };
  const registration = { ...own, ...about };
  return {
    register: () => {
      const about = {
        vendorId,
        liveMode: true,
        url: 'https://example.com',
        events: ['*'],
        description: null,
        ordering: 'best_effort' as const,
      };
      return webhooks.register({ ...about, id: newId('whk'), createdAt: now }, 'whsec_x', 20);
    },
    list: async () => {
      for (const isEnabled of [null, true, false]) {
        await turnPages((after) => webhooks.list(vendorId, true, isEnabled, { limit: LIMIT, after }));
      }
    },
    find: () => webhooks.find(own),
    secretsOf: () => webhooks.secretsOf(own),
    change: () => webhooks.change(own, { description: 'another' }),
    rotateSecret: () => webhooks.rotateSecret(own, 'whsec_y', 1000),
    remove: () => webhooks.remove({ ...own, id: newId('whk') }),
    disable: () => webhooks.disable({ ...registration, id: newId('whk') }, 'gone'),
    replayEvent: () => webhooks.replayEvent(registration, newId('evt')),
    replaySince: () => webhooks.replaySince(registration, new Date(NOON).toISOString(), LIMIT),
    listAttempts: async () => {
      for (const state of [null, 'due', 'done', 'failed'] as const) {
        await turnPages((after) => webhooks.listAttempts(registrationId, state, { limit: LIMIT, after }));
      }
    },
    isAnyEventDue: () => webhooks.isAnyEventDue(),
    isAnyAttemptDue: () => webhooks.isAnyAttemptDue(now),
    fanOut: () => webhooks.fanOut(LIMIT),
    listWaiting: async () => {
      for (const at of [now, 0]) await webhooks.listWaiting(at, LIMIT, null);
      await webhooks.listWaiting(now, LIMIT, registrationId);
    },
    claimDue: async () => {
      for (const id of [registrationId, newId('whk')]) {
        await webhooks.claimDue(id, { now, leaseMs: 60_000, limit: 10 });
      }
    },
    record: async () => {
      const outcome = { at: now, status: 200, tookMs: 1, error: null, response: '' };
      // An attempt with a line is followed by the next one.
      for (const key of ['attempt:4', `${newId('evt')}:${registrationId}`]) {
        await webhooks.record({ key, claim: '' }, outcome, null);
      }
    },
  };
}
