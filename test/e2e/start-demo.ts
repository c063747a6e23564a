import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startFleet, type Fleet } from '../../load-tests/servers/fleet.ts';
import { testEngines } from '../engines.ts';

export const EXAMPLES = join(import.meta.dirname, '../../examples');

/** The events of a delivery that goes well. */
export const WHOLE_LIFE = [
  'delivery.created',
  'courier.assigned',
  'courier.arrived_pickup',
  'picked_up',
  'in_transit',
  'courier.arrived_drop_off',
  'delivered',
];

/** A server with a demo, and the file with the facts of the demo. */
export async function startDemo(name: string): Promise<{ fleet: Fleet; demoFile: string; address: string }> {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines(name);
  const dir = await mkdtemp(join(tmpdir(), 'example-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const environment = { REDIS_PREFIX: keyPrefix };
  const fleet = await startFleet({ servers: 1, dir, mongoUrl, redisUrl, scale: 1, environment });
  onTestFinished(() => fleet.stop());
  return { fleet, demoFile: join(dir, 'server-1', 'demo.json'), address: fleet.addresses[0] ?? '' };
}
