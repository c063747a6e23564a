// Carries one delivery: to the pickup, waiting for the goods, and to the recipient.
import { act, type Act } from './act.ts';
import type { Travel } from './travel.ts';
import type { World } from './world.ts';

export type Carrying = {
  readonly deliveryId: string;
  /** True if the courier does not have the delivery any more. */
  isOver: boolean;
  /** True if the server has recorded the handover. The courier stays at the drop-off for a while. */
  isDelivered: boolean;
};

const HALF = 0.5;

/** Takes the delivery from acceptance to the recipient. Returns when the courier is free again. */
export async function carry(
  world: World,
  courierId: string,
  carrying: Carrying,
  drive: Travel['drive'],
  how: Act,
): Promise<void> {
  const { deliveryId } = carrying;
  const order = await world.orders.of(deliveryId);
  if (order === null) return;
  const { time, parameters } = world;
  const pickupHalfMs = parameters.pickupServiceMin * HALF * 60_000;
  const dropOffHalfMs = parameters.dropOffServiceMin * HALF * 60_000;
  const go = async (message: string, more: object, aim: string): Promise<boolean> =>
    (await act(how, message, { delivery_id: deliveryId, ...more }, aim)) === 'done';

  await drive(order.restaurant.at, `${order.id} 0`);
  if (!(await go('stop.arrive', { stop: 0 }, 'picked_up'))) return noteLost(world, carrying);
  await time.until(Math.max(time.now() + pickupHalfMs, world.toService(order.readyMin)));
  if (!(await go('delivery.pick_up', {}, 'picked_up'))) return noteLost(world, carrying);
  world.collected(deliveryId, courierId);
  await time.sleep(pickupHalfMs);
  if (!(await go('delivery.depart', {}, 'in_transit'))) return noteLost(world, carrying);
  world.tally.driven.set(deliveryId, await drive(order.at, `${order.id} 1`));
  if (!(await go('stop.arrive', { stop: 1 }, 'delivered'))) return noteLost(world, carrying);
  await time.sleep(dropOffHalfMs);
  if (!(await go('delivery.deliver', { stop: 1 }, 'delivered'))) return noteLost(world, carrying);
  carrying.isDelivered = true;
  await time.sleep(dropOffHalfMs);
}

function noteLost({ tally }: World, carrying: Carrying): void {
  carrying.isOver = true;
  tally.lost += 1;
}
