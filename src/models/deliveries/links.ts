import { createHash, createHmac } from 'node:crypto';
import { newId } from '../../domain/ids.ts';
import { linkEndsAt } from '../../domain/views/link.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { DeliveryStore, Links } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { toBase62 } from '../../engines/base62.ts';

type Needs = {
  readonly linkKey: string;
  readonly deliveries: Pick<DeliveryStore, 'findByLink'>;
  readonly clock: Clock;
  readonly settings: Settings;
};

const TOKEN_LENGTH = 22;
const TOKEN = /^[0-9A-Za-z]{22}$/;

/** Tracking links. A token is derived from the link's id, so it can be shown again although only its hash is stored. */
export function createLinks({ linkKey, deliveries, clock, settings }: Needs): Links {
  const tokenOf = (id: string): string => {
    const mac = createHmac('sha256', linkKey).update(id).digest('hex');
    return toBase62(BigInt(`0x${mac}`), TOKEN_LENGTH);
  };
  const hash = (token: string): string => createHash('sha256').update(token).digest('base64url');
  return {
    make: (count) =>
      Array.from({ length: count }, (_, index) => {
        const id = newId('trk');
        return { stop: index + 1, id, tokenHash: hash(tokenOf(id)) };
      }),
    tokenOf,
    hash,
    open: async (token) => {
      const tokenHash = TOKEN.test(token) ? hash(token) : null;
      const delivery = tokenHash === null ? null : await deliveries.findByLink(tokenHash);
      const link = delivery?.links.find((one) => one.tokenHash === tokenHash);
      if (delivery === null || link === undefined) throw new Refusal('tracking_link_not_found');
      const { id: linkId, stop } = link;
      const expiresAt = linkEndsAt(delivery, stop, settings.tracking);
      if (expiresAt <= clock.now()) throw new Refusal('tracking_link_expired');
      return { delivery, caller: { type: 'recipient', deliveryId: delivery.id, linkId, stop, expiresAt } };
    },
  };
}
