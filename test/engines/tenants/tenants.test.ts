import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { acrossTenants, presentTenant, TenantLeft, withinTenant } from '../../../src/engines/tenants/tenants.ts';
import { pathsOf } from '../../../src/engines/shapes/fields.ts';
import { AUDIT } from '../../../src/models/audit-shapes.ts';
import { COLLECTIONS } from '../../../src/models/collections.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { EVENTS_LOG } from '../../../src/models/deliveries/events/event-rows.ts';
import { QUOTES } from '../../../src/models/deliveries/quote-shape.ts';
import { deliveryRow } from '../../../src/models/deliveries/delivery-rows.ts';
import { VENDORS } from '../../../src/models/vendors/vendor-shapes.ts';
import { aDelivery, aQuote, aVendor } from '../../builders.ts';
import { aBirth, openHouse, SETTINGS, storeDelivery } from '../mongo-house.ts';

const house = await openHouse('tenants');
const rows = house.mongo.collection(DELIVERIES);
const own = { vendorId: newId('ven'), liveMode: false };
const other = { vendorId: newId('ven'), liveMode: false };

test('[M59] a query that names neither the tenant nor an object throws, whatever its method', async () => {
  const name = { vendorId: own.vendorId };
  const calls: Record<string, () => unknown> = {
    find: () => rows.find({ liveMode: false }),
    'a vendor without the mode': () => rows.find(name),
    'another vendor': () => rows.find(other),
    'the other mode': () => rows.find({ ...name, liveMode: true }),
    'several vendors': () => rows.find({ vendorId: { $in: [own.vendorId, other.vendorId] }, liveMode: false }),
    'a range of objects': () => rows.find({ _id: { $gt: newId('del') } }),
    'one condition of several': () => rows.find({ $or: [own, other] }),
    'no filter': () => rows.find(),
    findOne: () => rows.findOne({ state: 'searching' }),
    updateMany: () => rows.updateMany({}, { $set: { region: '' } }),
    deleteMany: () => rows.deleteMany({}),
    countDocuments: () => rows.countDocuments({ liveMode: false }),
    distinct: () => rows.distinct('region', {}),
    aggregate: () => rows.aggregate([{ $group: { _id: '$region' } }]),
    bulkWrite: () => rows.bulkWrite([{ deleteMany: { filter: {} } }]),
    watch: () => rows.watch([]),
    estimatedDocumentCount: () => rows.estimatedDocumentCount(),
  };
  for (const [about, call] of Object.entries(calls)) {
    const thrown = await withinTenant(own, call).catch((error: unknown) => error);
    expect([about, thrown instanceof TenantLeft]).toEqual([about, true]);
  }
});

test('[M59] a query that names the tenant finds its rows alone', async () => {
  const [mine, theirs, live] = [own, other, { ...own, liveMode: true }].map((owner) => aDelivery(owner));
  for (const delivery of [mine, theirs, live]) if (delivery !== undefined) await storeDelivery(house, delivery);
  const counts = await withinTenant(own, async () => [
    await rows.countDocuments(own),
    await rows.countDocuments({ $and: [{ vendorId: own.vendorId }, { liveMode: { $in: [false] } }] }),
    (await rows.aggregate([{ $match: own }, { $group: { _id: '$vendorId' } }]).toArray()).length,
    (await rows.distinct('_id', own)).length,
  ]);
  expect(counts).toEqual([1, 1, 1, 1]);
});

test('[M60] the objects of another tenant or mode are absent, by whatever key they are named', async () => {
  const mine = await storeDelivery(house, own);
  const [theirs, live] = [await storeDelivery(house, other), await storeDelivery(house, { ...own, liveMode: true })];
  await withinTenant(own, async () => {
    for (const [delivery, isFound] of [
      [mine, true],
      [theirs, false],
      [live, false],
    ] as const) {
      const { id } = delivery;
      const found = [
        (await house.deliveries.find(id)) !== null,
        (await house.confirmed.findDelivery(id)) !== null,
        (await house.deliveries.findMany([id])).length === 1,
        (await house.eventLog.list(id, 0, 10)).length > 0,
        (await rows.updateOne({ _id: id }, { $set: { region: '' } })).matchedCount === 1,
        (await house.vendors.find(delivery.vendorId)) !== null,
      ];
      expect(found.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => isFound));
    }
    expect((await rows.deleteOne({ _id: theirs.id })).deletedCount).toBe(0);
  });
  expect(await rows.countDocuments({ _id: theirs.id })).toBe(1);
});

test('[M61] a row of another tenant or mode is not stored', async () => {
  const foreign = deliveryRow(aDelivery(other), SETTINGS);
  const live = deliveryRow(aDelivery({ ...own, liveMode: true }), SETTINGS);
  const mine = deliveryRow(aDelivery(own), SETTINGS);
  const calls: (() => Promise<unknown>)[] = [
    () => rows.insertOne(foreign),
    () => rows.insertMany([mine, live]),
    () => rows.replaceOne({ _id: mine._id }, foreign),
    () => house.mongo.records(QUOTES).insert({ ...foreign, _id: newId('qte') } as never),
    () => house.mongo.collection(VENDORS).insertOne({ _id: other.vendorId } as never),
  ];
  for (const call of calls) await expect(withinTenant(own, call)).rejects.toThrow(TenantLeft);
  const entry = { vendorId: own.vendorId, liveMode: null };
  // An entry of the audit log may be about both modes.
  const audited = () => house.mongo.collection(AUDIT).find({ ...entry, liveMode: { $in: [false, null] } });
  expect(await withinTenant(own, () => audited().toArray())).toEqual([]);
});

test('[M62] work is confined to its end, and never what runs beside or after it', async () => {
  expect(presentTenant()).toBeNull();
  let late: Promise<unknown> = Promise.resolve();
  const atOnce = [own, other].map((tenant) =>
    withinTenant(tenant, async () => {
      await house.deliveries.find(newId('del'));
      late = new Promise((resolve) => void setImmediate(() => setImmediate(() => resolve(presentTenant()))));
      expect(acrossTenants('own_edit', presentTenant)).toBeNull();
      return presentTenant();
    }),
  );
  expect(await Promise.all(atOnce)).toEqual([own, other]);
  expect(await late).toBeNull();
});

test('[M62] requests of several vendors that share a command are each confined to their own rows', async () => {
  const rounds = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? own : other));
  for (const { vendorId: id } of [own, other]) await house.vendors.add(aVendor({ id }));
  const made = await Promise.all(
    rounds.map((tenant, index) =>
      withinTenant(tenant, async () => {
        const stranger = tenant === own ? other : own;
        const born = aBirth(tenant);
        const [result, vendor, foreign, quote] = await Promise.all([
          house.commit(born),
          house.vendors.find(tenant.vendorId),
          house.vendors.find(stranger.vendorId),
          house.quotes.add(aQuote({ ...tenant, id: newId('qte') })),
        ]);
        await expect(house.commit(aBirth(stranger))).rejects.toThrow(TenantLeft);
        await expect(house.quotes.add(aQuote({ ...stranger, id: newId('qte') }))).rejects.toThrow(TenantLeft);
        return [index, result.ok, vendor?.id, foreign, quote.vendorId, presentTenant()];
      }),
    ),
  );
  const wanted = rounds.map((tenant, index) => [index, true, tenant.vendorId, null, tenant.vendorId, tenant]);
  expect(made).toEqual(wanted);
});

test('[M63] each collection whose rows name a vendor has a rule, and the rule names paths of its schema', () => {
  const ruled = COLLECTIONS.filter(({ tenant }) => tenant !== undefined);
  const owned = COLLECTIONS.filter(({ schemas }) =>
    Object.values(schemas).some((schema) => ['vendorId', 'vendor_id'].some((path) => path in pathsOf(schema))),
  );
  expect(ruled.map(({ name }) => name).toSorted()).toEqual([...owned.map(({ name }) => name), 'vendors'].toSorted());
  expect(owned).toContainEqual(expect.objectContaining({ name: EVENTS_LOG.name }));
  for (const { name, schemas, tenant } of ruled) {
    const paths = Object.values(schemas).flatMap((schema) => Object.keys(pathsOf(schema)));
    const pins = Object.keys(tenant?.pins(own) ?? {});
    expect([name, [...pins, ...(tenant?.keys ?? [])].filter((path) => !paths.includes(path))]).toEqual([name, []]);
    // A collection with a mode must pin it.
    const modes = paths.filter((path) => /^live_?mode$/i.test(path));
    expect([name, modes.filter((path) => !pins.includes(path))]).toEqual([name, []]);
  }
});
