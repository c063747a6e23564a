// People at desks, who come between: vendors and staff cancel, and dispatchers give a delivery to two couriers at once.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Api } from '../../clients/api.ts';
import type { Meeting, World } from './world.ts';

/** Of a hundred deliveries this many are canceled, and this many assigned by hand, within this machine time. */
const CANCELS = 4;
const ASSIGNS = 6;
const WITHIN_MS = 1500;

/** Perhaps does something to a new delivery, soon. */
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

/** Two dispatchers, two servers, two couriers and one delivery; the couriers may be saying yes to another one. */
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

/** Does it once; a refusal is an answer as good as another, most often that it was too late. */
async function noted(counts: World['counts'], what: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
    counts.add(`${what}: done`);
  } catch (error) {
    counts.add(`${what}: ${error instanceof ApiError ? (error.problem.code ?? 'no answer') : String(error)}`);
  }
}
