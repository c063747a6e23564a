import type { Sending } from '../../../src/money/payouts/transfer.ts';

/** Prepares an order at a gateway and sends it. */
export async function sendTo<Order>(
  gateway: { readonly prepare: (order: Order) => Promise<Sending> },
  order: Order,
): ReturnType<Sending> {
  const sending = await gateway.prepare(order);
  return sending();
}
