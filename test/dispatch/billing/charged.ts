import { newId, type VendorId } from '../../../src/domain/ids.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { bookOf } from '../../../src/money/ledger/accounts.ts';
import type { EntryLine } from '../../../src/money/ledger/entries.ts';
import { aLine, chargeOf } from '../../money/billing/charges.ts';
import { storeDelivery, type World } from '../world.ts';

/** A delivered delivery of this vendor that was charged these lines now. */
export async function storeCharged(
  world: World,
  vendorId: VendorId,
  lines: readonly EntryLine[] = [aLine('delivery', 1450, 95), aLine('tip', 200)],
): Promise<Delivery> {
  const id = newId('del');
  const now = world.clock.now();
  const shares = { customer: 0, vendor: 0, platform: 0 };
  const delivery = await storeDelivery(world, {
    id,
    vendorId,
    state: 'delivered',
    times: { deliveredAt: now },
    funds: { shares, taxRateBp: 700, courierShareBp: 8000, hold: 0, holdKey: `delivery:${id}`, charges: lines },
  });
  const command = chargeOf({ vendorId, book: bookOf(false, 'EUR'), deliveryId: id, lines });
  const result = await world.ledger.post(command, null);
  if (!result.ok) throw new Error(`the charge was refused: ${result.why}`);
  return delivery;
}
