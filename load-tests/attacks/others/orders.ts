// The requests of a demo vendor over REST.
import { randomUUID } from 'node:crypto';
import type { Scene } from './scene.ts';

type Vendor = Pick<Scene, 'api' | 'facts'>;

/**
 * Drop-offs are this far north of the demo's centre, in degrees: about 30 m, so that a courier can deliver from there.
 */
const NORTH = 0.0003;

/** Reads a page of twenty deliveries. */
export async function listDeliveries({ api, facts }: Vendor): Promise<void> {
  await api.call('GET', '/deliveries?limit=20', { token: facts.vendor.api_key });
}

/** Creates a delivery next to the demo's centre. Returns its id. */
export async function createDelivery({ api, facts }: Vendor): Promise<string> {
  const { lat, lng } = facts.center;
  const body = {
    // If the request is sent again, the server answers with the same delivery.
    external_id: `attacks-${randomUUID()}`,
    pickup: { location_id: facts.vendor.location_id },
    drop_off: [
      {
        coordinates: { lat: lat + NORTH, lng },
        address: 'Market Square 2',
        contact: { name: 'Somebody there', phone: '+4930901820' },
      },
    ],
  };
  const { id } = await api.call<{ id: string }>('POST', '/deliveries', { token: facts.vendor.api_key, body });
  return id;
}

export async function cancelDelivery({ api, facts }: Vendor, id: string): Promise<void> {
  await api.call('POST', `/deliveries/${id}/cancel`, { token: facts.vendor.api_key, body: {} });
}

/** The token in the delivery's tracking link. */
export async function trackingTokenOf({ api, facts }: Vendor, id: string): Promise<string> {
  const { url } = await api.call<{ url: string }>('GET', `/deliveries/${id}/tracking-url`, {
    token: facts.vendor.api_key,
  });
  return url.slice(url.lastIndexOf('/') + 1);
}
