import { describe, expect, test } from 'vitest';
import type { NewDelivery } from '../../../src/dispatch/commands.ts';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { quoteDelivery } from '../../../src/dispatch/deliveries/quote-delivery.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { preparationKeyOf } from '../../../src/domain/learning/preparation.ts';
import { CENTER, aLocation, aNewDelivery, aNewStop } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { asVendor } from '../../callers.ts';
import { minutesFrom, spanOf } from '../kitchen.ts';
import { codeOf, eventsOf, historyOf, openWorld, refusalOf, storeVendor } from '../world.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const world = await openWorld('create');
const vendor = await storeVendor(world);
const doer = asVendor({ vendorId: vendor.id, liveMode: false });
const command = (over: Partial<NewDelivery> = {}): NewDelivery => aNewDelivery({ vendorId: vendor.id, ...over });
const create = (over: Partial<NewDelivery> = {}) => createDelivery(world, command(over), doer);
const count = () => world.mongo.collection(DELIVERIES).countDocuments();
const MINUTE = 60_000;

function quoteFor(over: Partial<NewDelivery> = {}) {
  const { pickup, ...asked } = command(over);
  return quoteDelivery(world, {
    ...asked,
    pickup: pickup?.place ?? null,
    window: null,
    subsidy: null,
    customerTier: null,
    promo: null,
  });
}

describe('a new delivery', () => {
  test('[D3] the search of an express delivery starts at once, with its price, its link and one event', async () => {
    const { delivery, isNew } = await create();
    const now = world.clock.now();
    expect(isNew).toBe(true);
    expect(delivery).toMatchObject({
      state: 'searching',
      stage: null,
      version: 1,
      sequence: 1,
      searchFromAt: now,
      searchUntilAt: now + 15 * MINUTE,
    });
    expect(delivery.times).toMatchObject({ createdAt: now, searchingAt: now });
    expect(delivery.feeBreakdown.reduce((sum, { amount }) => sum + amount, 0)).toBe(delivery.fee);
    expect(delivery.region).toBe(regionOf(CENTER));
    expect(world.bell.rung).toContain(delivery.region);
    expect(await world.deliveries.get(delivery.id)).toStrictEqual(delivery);
    const [event, ...more] = await eventsOf(world, delivery.id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'delivery.created',
      sequence: 1,
      data: { from: null, to: 'searching', actor: { type: 'vendor', id: vendor.id } },
    });
    expect(await world.links.open(world.links.tokenOf(delivery.links[0]!.id))).toMatchObject({
      delivery: { id: delivery.id },
    });
  });

  test('[D3] a search starts 20 min before the goods are ready, and its limit counts from 11 min before', async () => {
    const readyAt = world.clock.now() + 60 * MINUTE;
    const window = { readyAt, deadlineAt: null };
    const express = await create({ pickup: aNewStop(0, { window }) });
    expect(express.delivery).toMatchObject({
      state: 'searching',
      searchFromAt: readyAt - 20 * MINUTE,
      searchCountsFromAt: readyAt - 11 * MINUTE,
      searchUntilAt: readyAt + 4 * MINUTE,
    });
    const scheduled = await create({ priority: 'scheduled', pickup: aNewStop(0, { window }) });
    expect(scheduled.delivery).toMatchObject({
      state: 'scheduled',
      searchFromAt: readyAt - 20 * MINUTE,
      times: { searchingAt: null },
    });
    const soon = { window: { readyAt: world.clock.now() + 15 * MINUTE, deadlineAt: null } };
    const spanNow = async (over?: Partial<NewDelivery>) =>
      minutesFrom(world.clock.now(), ...spanOf((await create(over)).delivery));
    expect(await spanNow({ pickup: aNewStop(0, soon) })).toEqual([0, 4, 19]);
    expect(await spanNow()).toEqual([0, 0, 15]);
    const until = await create({ searchUntilAt: world.clock.now() + 5 * MINUTE });
    expect(until.delivery.searchUntilAt).toBe(world.clock.now() + 5 * MINUTE);
    expect(await codeOf(create({ searchUntilAt: world.clock.now() }))).toBe('impossible_value');
    const beforeItCounts = { pickup: aNewStop(0, soon), searchUntilAt: world.clock.now() + 3 * MINUTE };
    expect(await codeOf(create(beforeItCounts))).toBe('impossible_value');
    expect(await codeOf(create({ searchUntilAt: world.clock.now() + 25 * 60 * MINUTE }))).toBe('impossible_value');
  });

  test('[D3] with a known kitchen, the search starts with the order and counts from 11 min before the goods are ready', async () => {
    const { delivery } = await create();
    const sample = { ...preparationKeyOf(delivery), ms: 30 * MINUTE, isBound: false };
    await world.preparation.record(
      Array.from({ length: 20 }, () => sample),
      world.settings.preparation,
    );
    const spanNow = async (over?: Partial<NewDelivery>) => {
      const born = (await create(over)).delivery;
      return [born.preparation.estimateMs, ...minutesFrom(world.clock.now(), ...spanOf(born))];
    };
    // Twenty samples of 30 min lie between 30 and 31.
    const estimateMs = 30.6 * MINUTE;
    expect(await spanNow()).toEqual([estimateMs, 0, 19.6, 34.6]);
    const named = { window: { readyAt: world.clock.now() + 15 * MINUTE, deadlineAt: null } };
    expect(await spanNow({ pickup: aNewStop(0, named) })).toEqual([null, 0, 4, 19]);
    const searchUntilAt = world.clock.now() + 10 * MINUTE;
    expect(await spanNow({ searchUntilAt })).toEqual([null, 0, 0, 10]);
  });

  test('[D4] a location fills in the missing fields of the pickup; another vendor has no such location', async () => {
    const location = aLocation({ vendorId: vendor.id });
    await world.vendors.addLocation(location);
    const { delivery } = await create({ locationId: location.id, pickup: null });
    expect(delivery.pickup).toMatchObject({
      place: location.place,
      address: location.address,
      contact: location.contact,
    });
    const pickup = { ...aNewStop(0, { instructions: 'ring twice', address: null }), place: null };
    const own = await create({ locationId: location.id, pickup });
    expect(own.delivery.pickup).toMatchObject({
      place: location.place,
      address: location.address,
      instructions: 'ring twice',
    });
    const foreign = aLocation();
    await world.vendors.addLocation(foreign);
    expect(await codeOf(create({ locationId: foreign.id, pickup: null }))).toBe('location_not_found');
    expect(await codeOf(create({ pickup: null }))).toBe('impossible_value');
    const closed = aLocation({ vendorId: vendor.id, isReady: false });
    await world.vendors.addLocation(closed);
    expect(await refusalOf(create({ locationId: closed.id, pickup: null }))).toMatchObject({
      told: { reason: 'location_not_ready' },
    });
  });

  test('[D5] a robo-courier is for test mode, and a route has a longest length', async () => {
    const before = await count();
    expect(await codeOf(create({ robo: { timeScale: 1 }, liveMode: true }))).toBe('test_mode_only');
    const dropOffs = [aNewStop(1, { place: offsetBy(CENTER, 30_000, 0) })];
    expect(await refusalOf(create({ dropOffs }))).toMatchObject({
      code: 'invalid_delivery_parameters',
      told: { reason: 'distance_too_long' },
    });
    expect(await codeOf(quoteFor({ dropOffs }))).toBe('invalid_delivery_parameters');
    expect(await count()).toBe(before);
  });

  test('[D80] drop-offs are visited the short way and priced by it, however they are listed', async () => {
    const doorAt = (km: number) => aNewStop(km, { place: offsetBy(CENTER, km * 1000, 0) });
    const dropOffs = [doorAt(3), doorAt(1), doorAt(2)];
    const { delivery } = await create({ dropOffs });
    expect(delivery.dropOffs.map(({ visit }) => visit)).toEqual([3, 1, 2]);
    const { distanceM, durationS, fee } = delivery;
    const asWalked = await create({ dropOffs: [doorAt(1), doorAt(2), doorAt(3)] });
    expect(asWalked.delivery).toMatchObject({ distanceM, durationS, fee });
    expect(await quoteFor({ dropOffs })).toMatchObject({ distanceM, durationS, fee });
    const window = { readyAt: null, deadlineAt: world.clock.now() + 60 * MINUTE };
    const timed = await create({ dropOffs: [{ ...doorAt(3), window }, doorAt(1), doorAt(2)] });
    expect(timed.delivery.dropOffs.map(({ visit }) => visit)).toEqual([1, 2, 3]);
    expect(timed.delivery.distanceM).toBeGreaterThan(distanceM);
  });
});

describe('a create that is sent again', () => {
  test('[D6] the same content returns the existing delivery, even if its quote has expired since', async () => {
    const quote = await quoteFor();
    const first = await create({ externalId: 'order-1', quoteId: quote.id });
    await world.clock.advance(16 * MINUTE);
    const again = await create({ externalId: 'order-1', quoteId: quote.id });
    expect(again).toEqual({ delivery: first.delivery, isNew: false, isJustBorn: false });
    expect(await historyOf(world, first.delivery.id)).toEqual(['delivery.created']);
  });

  test('[D6] other content under the same external id is refused with the id of the first', async () => {
    const { delivery } = await create({ externalId: 'order-2' });
    const refusal = await refusalOf(create({ externalId: 'order-2', contentHash: 'other' }));
    expect(refusal).toMatchObject({ code: 'duplicate_delivery', told: { metadata: { delivery_id: delivery.id } } });
  });

  test('[D6] an external id belongs to one vendor and one mode', async () => {
    const other = await storeVendor(world);
    const made = await Promise.all([
      create({ externalId: 'order-3' }),
      create({ externalId: 'order-3', liveMode: true }),
      create({ externalId: 'order-3', vendorId: other.id }),
    ]);
    expect(made.map(({ isNew }) => isNew)).toEqual([true, true, true]);
  });

  test('[D7] of many creates at once exactly one is new, and all return the same delivery', async () => {
    const quote = await quoteFor();
    const before = await count();
    const asked = { externalId: 'order-4', quoteId: quote.id };
    const made = await Promise.all(Array.from({ length: 20 }, () => create(asked)));
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(made.map(({ delivery }) => delivery.id)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });
});

describe('a quote', () => {
  test('[D8] is priced without a delivery, and the delivery made with it costs what was promised', async () => {
    const before = await count();
    const quote = await quoteFor({ metadata: { weight: 9 } });
    expect(await count()).toBe(before);
    expect(quote.expiresAt - quote.createdAt).toBe(15 * MINUTE);
    const pricier = { ...world, settings: { ...world.settings, quotes: { ...world.settings.quotes, baseFee: 9999 } } };
    const { delivery } = await createDelivery(pricier, command({ metadata: { weight: 9 }, quoteId: quote.id }), doer);
    expect(delivery).toMatchObject({
      quoteId: quote.id,
      fee: quote.fee,
      feeBreakdown: quote.feeBreakdown,
      distanceM: quote.distanceM,
    });
  });

  test('[D9] is used once: one of twenty deliveries gets it, and nothing of the others is stored', async () => {
    const quote = await quoteFor();
    const before = await count();
    const asked = Array.from({ length: 20 }, () => create({ quoteId: quote.id }));
    const results = await Promise.allSettled(asked);
    const won = results.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(await count()).toBe(before + 1);
    const refusal = await refusalOf(create({ quoteId: quote.id }));
    expect(refusal).toMatchObject({
      code: 'used_quote',
      told: { metadata: { delivery_id: won[0]?.value.delivery.id } },
    });
  });

  test('[D10] is refused if it has expired, was made for other inputs, or belongs to another vendor', async () => {
    const quote = await quoteFor();
    const elsewhere = [aNewStop(1, { place: offsetBy(CENTER, 2000, 0) })];
    expect(await refusalOf(create({ quoteId: quote.id, dropOffs: elsewhere }))).toMatchObject({
      code: 'mismatched_price_quote',
      told: { reason: 'places' },
    });
    expect(await codeOf(create({ quoteId: newId('qte') }))).toBe('quote_not_found');
    expect(await codeOf(create({ quoteId: quote.id, liveMode: true }))).toBe('quote_not_found');
    await world.clock.advance(15 * MINUTE);
    expect(await codeOf(create({ quoteId: quote.id }))).toBe('expired_quote');
  });
});
