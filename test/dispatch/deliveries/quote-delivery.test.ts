import { expect, test } from 'vitest';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { quoteDelivery } from '../../../src/dispatch/deliveries/quote-delivery.ts';
import type { Subsidy } from '../../../src/domain/pricing/split.ts';
import { calmCell, surgeCellOf } from '../../../src/domain/surge/surge.ts';
import { aNewDelivery, CENTER } from '../../builders.ts';
import { asVendor } from '../../callers.ts';
import { regionOf } from '../../regions.ts';
import { openWorld, storeVendor } from '../world.ts';

const world = await openWorld('quote');
const vendor = await storeVendor(world);
const doer = asVendor({ vendorId: vendor.id, liveMode: false });
const quotes = { ...world.settings.quotes, mostSurgeBp: 15_000 };
const raising = { ...world, settings: { ...world.settings, quotes } };

function askFor(subsidy: Subsidy | null = null) {
  const { pickup, ...asked } = aNewDelivery({ vendorId: vendor.id });
  return { ...asked, pickup: pickup?.place ?? null, window: null, subsidy, customerTier: null, promo: null };
}

async function publish(surge: number): Promise<void> {
  const region = regionOf(CENTER);
  const calm = calmCell(surgeCellOf(CENTER, region), false, world.clock.now());
  await world.surge.publish(region, [{ ...calm, surge, ratio: surge }]);
}

test('[J35] a quote keeps its factor of demand, and a create without a quote has the present one', async () => {
  await publish(1.3);
  const quote = await quoteDelivery(raising, askFor({ type: 'fixed', amount: 100 }));
  await publish(2);
  const stored = await world.quotes.get(quote.id, vendor.id, false);
  expect(stored).toStrictEqual(quote);
  expect(stored.split).toMatchObject({ surgeBp: 13_000, isSurgeCapped: false, vendor: 100 });
  const promised = await createDelivery(raising, aNewDelivery({ vendorId: vendor.id, quoteId: quote.id }), doer);
  expect(promised.delivery).toMatchObject({ fee: quote.fee, feeBreakdown: quote.feeBreakdown });
  const plain = await quoteDelivery(world, askFor());
  const surged = await createDelivery(raising, aNewDelivery({ vendorId: vendor.id }), doer);
  expect(surged.delivery.fee).toBe(plain.fee + Math.round(plain.fee / 2));
  expect(plain.split).toMatchObject({ surgeBp: 10_000, customer: plain.fee, vendor: 0, platform: 0 });
});
