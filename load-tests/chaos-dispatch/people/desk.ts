// Interventions by people: vendors and staff cancel deliveries, and dispatchers assign one delivery to two couriers at
// once.
import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswer, ServiceProblem } from '../../../packages/client/src/problems.ts';
import type { Api } from '../../clients/api.ts';
import type { Meeting, World } from './world.ts';

/**
 * The percentages of deliveries that are canceled and assigned by hand, and the machine time within which this happens.
 */
const CANCELS = 4;
const ASSIGNS = 6;
const WITHIN_MS = 1500;

/** May intervene in a new delivery, soon. */
export function comeBetween(world: World, api: Api, deliveryId: string, meeting: Meeting): void {
  const chance = world.random.between(0, 100);
  if (chance < CANCELS) void cancelSoon(world, api, deliveryId);
  else if (chance < CANCELS + ASSIGNS) void assignSoon(world, deliveryId, meeting);
}

async function cancelSoon({ random, staff, vendorKey, counts }: World, api: Api, deliveryId: string): Promise<void> {
  const isVendor = random.next() < 0.5;
  await pause(random.between(0, WITHIN_MS));
  const what = `cancel by ${isVendor ? 'vendor' : 'staff'}`;
  await noted(counts, what, async () => {
    const token = isVendor ? vendorKey : await staff.token();
    await api.call('POST', `/deliveries/${deliveryId}/cancel`, { token });
  });
}

/** Two dispatchers assign one delivery to two couriers on two servers. The couriers may be accepting another one. */
async function assignSoon(
  { random, staff, counts, newApi }: World,
  deliveryId: string,
  { crew }: Meeting,
): Promise<void> {
  await pause(random.between(0, WITHIN_MS));
  const token = await staff.token();
  const couriers = [random.pick(crew, () => 1), random.pick(crew, () => 1)];
  await Promise.all(
    couriers.map((courierId) =>
      noted(counts, 'assign by hand', async () => {
        const body = { delivery_id: deliveryId, courier_id: courierId };
        await newApi().call('POST', '/dispatch/assign', { token, body });
      }),
    ),
  );
}

/** Does it once. A refusal is a valid answer, mostly because it was too late. */
async function noted(counts: World['counts'], what: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
    counts.add(`${what}: done`);
  } catch (error) {
    counts.add(`${what}: ${codeOf(error)}`);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof ServiceProblem) return error.code;
  return error instanceof NoAnswer ? 'no answer' : String(error);
}
