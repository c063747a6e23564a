// A vendor who changes deliveries again and again, so that each change is an event.
import { setTimeout as pause } from 'node:timers/promises';
import { offsetBy } from '../../src/domain/geo/geo.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { isFinal, type Api } from '../clients/api.ts';
import type { Fleet } from '../servers/fleet.ts';
import { withCore, type Place } from '../stored/core.ts';
import type { SocketsOptions } from './options.ts';
import type { Facts } from './report.ts';

/** Drop-offs lie this far from the pickup. */
const AWAY_M = 1500;

/** The number of the last event of each delivery. */
export async function lastOf(place: Place, ids: readonly string[]): Promise<Map<string, number>> {
  const stored = await withCore(place, ({ parts }) => parts.deliveries.findMany(ids as readonly DeliveryId[]));
  return new Map(stored.map(({ id, sequence }) => [id, sequence]));
}

/** Creates deliveries of the demo's vendor, which nobody carries. */
export function createDeliveries(api: Api, { facts }: Fleet, deliveries: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: deliveries }, async (_, index) => {
      const contact = { name: `Recipient ${index}`, phone: '+4233901821' };
      const coordinates = offsetBy(facts.center, AWAY_M, index);
      const body = {
        external_id: `chaos-${index}`,
        pickup: { location_id: facts.vendor.location_id },
        drop_off: [{ coordinates, address: `Street ${index}`, contact }],
      };
      const { id } = await api.call<{ id: string }>('POST', '/express/deliveries', {
        token: facts.vendor.api_key,
        body,
      });
      return id;
    }),
  );
}

/** Changes the deliveries in turn at the given rate. The changes of one delivery follow each other. */
export async function changeAll(
  api: Api,
  key: string,
  deliveryIds: readonly string[],
  { events, rate }: Pick<SocketsOptions, 'events' | 'rate'>,
  onConfirmed: () => void,
): Promise<Pick<Facts, 'confirmed' | 'refused'>> {
  const startedAt = performance.now();
  const refused: string[] = [];
  let confirmed = 0;
  const change = async (number: number, id: string): Promise<void> => {
    await pause(Math.max(0, startedAt + (number * 1000) / rate - performance.now()));
    try {
      const body = { drop_off: [{ instructions: `Ring ${number} times` }] };
      await api.call('PATCH', `/deliveries/${id}`, { token: key, body });
      confirmed += 1;
      onConfirmed();
    } catch (error) {
      // Any other error means that no server answered for a minute, which fails the run as well.
      refused.push(`${isFinal(error) ? '' : 'no answer: '}${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await Promise.all(
    deliveryIds.map(async (id, lane) => {
      for (let number = lane; number < events; number += deliveryIds.length) await change(number, id);
    }),
  );
  return { confirmed, refused };
}
