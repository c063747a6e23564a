import { expect, test } from 'vitest';
import { claimsOf } from '../../../src/dispatch/deliveries/plan-birth.ts';
import { quoteDelivery } from '../../../src/dispatch/deliveries/quote-delivery.ts';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import type { NewDelivery } from '../../../src/dispatch/commands.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aNewDelivery, CENTER } from '../../builders.ts';
import { asVendor } from '../../callers.ts';
import { codeOf, historyOf, openWorld, refusalOf, storeVendor } from '../world.ts';
import type { Commit, CommitResult } from '../../../src/ports/changes.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const world = await openWorld('decided-again');
const vendor = await storeVendor(world);
const doer = asVendor({ vendorId: vendor.id, liveMode: false });
const count = () => world.mongo.collection(DELIVERIES).countDocuments();

/** Creates a delivery. The commits answer as given, one after the other, and afterwards as the store does. */
async function createWith(commits: Commit[], over: Partial<NewDelivery> = {}) {
  const commit: Commit = (change) => (commits.shift() ?? world.commit)(change);
  return createDelivery({ ...world, commit }, aNewDelivery({ vendorId: vendor.id, ...over }), doer);
}

/** Stores the change, and answers like a commit that ran again after its answer was lost. */
const storedBefore =
  (tell: (id: string) => CommitResult): Commit =>
  async (change) => {
    expect(await world.commit(change)).toMatchObject({ ok: true });
    return tell(change.after.id);
  };

test('[S73] a create that was stored although its commit failed is answered as new, once', async () => {
  const answers: ((id: string) => CommitResult)[] = [
    () => ({ ok: false, why: 'stale' }),
    (id) => ({ ok: false, why: 'claimed', claim: { fact: `quote:${newId('qte')}`, holder: id } }),
  ];
  for (const tell of answers) {
    const before = await count();
    const { delivery, isNew } = await createWith([storedBefore(tell)]);
    expect(isNew).toBe(true);
    expect(await world.deliveries.get(delivery.id)).toStrictEqual(delivery);
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created']);
    expect(await count()).toBe(before + 1);
  }
});

test('[S73] a create whose fact is claimed by a delivery that a failover took back is tried again and made', async () => {
  const externalId = 'taken-back';
  const { vendorId, liveMode, dropOffs, metadata, priority } = aNewDelivery({ vendorId: vendor.id });
  const { id: quoteId } = await quoteDelivery(world, {
    vendorId,
    liveMode,
    locationId: null,
    pickup: CENTER,
    dropOffs,
    metadata,
    vehicleTypes: [],
    priority,
    window: null,
    searchUntilAt: null,
    subsidy: null,
    customerTier: null,
    promo: null,
  });
  const { name, quote } = claimsOf(aNewDelivery({ vendorId: vendor.id, externalId, quoteId }));
  const claimed =
    (fact: string | null): Commit =>
    async () => ({ ok: false, why: 'claimed', claim: { fact: fact ?? '', holder: newId('del') } });
  const { isNew } = await createWith([claimed(name), claimed(quote)], { externalId, quoteId });
  expect(isNew).toBe(true);
});

test('[S73] a create that loses its external id decides again: the winner, or the refusal of other content', async () => {
  const winner = async (over: Partial<NewDelivery>) =>
    createDelivery(world, aNewDelivery({ vendorId: vendor.id, ...over }), doer);
  const externalId = 'raced';
  // The winner is stored after the loser has looked for it.
  const first: Commit = async (change) => {
    await winner({ externalId });
    return world.commit(change);
  };
  const { delivery, isNew } = await createWith([first], { externalId });
  expect(isNew).toBe(false);
  expect(delivery.externalId).toBe(externalId);

  const second: Commit = async (change) => {
    await winner({ externalId: 'other', contentHash: 'other content' });
    return world.commit(change);
  };
  expect(await refusalOf(createWith([second], { externalId: 'other' }))).toMatchObject({ code: 'duplicate_delivery' });
});

test('[S73] a create that is not written within 5 s is refused as busy', async () => {
  const before = await count();
  const late: Commit = async () => {
    await world.clock.advance(5000);
    return { ok: false, why: 'stale' };
  };
  expect(await codeOf(createWith([late]))).toBe('busy');
  expect(await count()).toBe(before);
});
