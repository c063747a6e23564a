import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliverStop, depart, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { demandProof } from '../../../src/dispatch/deliveries/update/demand-proof.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import { recordProof } from '../../../src/dispatch/record-proof.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { pinOf } from '../../../src/domain/proof/pin.ts';
import { missingProof, type ProofDemands } from '../../../src/domain/proof/verification.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { presentForCourier } from '../../../src/domain/views/courier-delivery.ts';
import { presentDelivery } from '../../../src/domain/views/present-delivery.ts';
import { etaOf } from '../../../src/domain/deliveries/eta.ts';
import { aStop, aMoment } from '../../builders.ts';
import { asCourier, asVendor } from '../../callers.ts';
import { codeOf, eventsOf, openWorld, refusalOf, storeHeld } from '../world.ts';

const world = await openWorld('demand-proof');
const PIN = { type: 'random', value: null } as const;
const demand = (delivery: Delivery, verification: ProofDemands, stop = 1) =>
  updateDelivery(
    world,
    { deliveryId: delivery.id, ifVersion: null, stops: [{ stop, verification }] },
    asVendor(delivery),
  );
const reasonOf = async (delivery: Delivery, verification: ProofDemands, stop = 1) =>
  (await refusalOf(demand(delivery, verification, stop))).told.reason;

test('[H383] requirements are added until the goods are collected or the proof begins, with one event', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const after = await demand(delivery, { picture: true, minAge: 18, barcodes: [{ value: 'A', type: 'QR' }] });
  expect(after.dropOffs[0]?.verification).toMatchObject({ picture: true, signature: null, pin: null, minAge: 18 });
  const more = await demand(delivery, { minAge: 21, barcodes: [{ value: 'B', type: 'QR' }] });
  expect(more.dropOffs[0]?.verification).toMatchObject({ picture: true, minAge: 21 });
  expect(more.dropOffs[0]?.verification?.barcodes.map(({ value }) => value)).toEqual(['A', 'B']);
  expect((await eventsOf(world, delivery.id)).at(-1)?.data.changed).toEqual(['/drop_off/0/verification']);
  // The same demand again changes nothing, and neither does one that asks for nothing.
  expect(await demand(delivery, { minAge: 21, barcodes: [{ value: 'B', type: 'QR' }] })).toEqual(more);
  await demand(delivery, { signature: {} }, 0);
  await recordProof(
    world,
    { deliveryId: delivery.id, stop: 0, pointer: '', filesPointer: '', given: { signatureName: 'Bo' } },
    asCourier(courier),
  );
  expect(await reasonOf(delivery, { picture: true }, 0)).toBe('proof_begun');
  const { delivery: carried } = await storeHeld(world, 'picked_up');
  expect(await reasonOf(carried, { picture: true })).toBe('already_collected');
  expect(await demand(carried, { picture: false, minAge: null })).toEqual(carried);
});

test('[H383] no demand lowers a requirement, whatever is demanded in which order', () => {
  const flag = fc.option(fc.boolean(), { nil: undefined });
  const demands = fc.record(
    {
      picture: fc.boolean(),
      signature: fc.option(fc.record({ collectName: flag, collectRelationship: flag })),
      pin: fc.option(
        fc.constantFrom(PIN, { type: 'phone_last4', value: null }, { type: 'merchant_provided', value: '4711' }),
      ),
      barcodes: fc.array(fc.record({ value: fc.constantFrom('A', 'B', 'C'), type: fc.constant('QR') }), {
        maxLength: 3,
      }),
      minAge: fc.option(fc.integer({ min: 1, max: 99 })),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ProofDemands>;
  fc.assert(
    fc.property(fc.array(demands, { maxLength: 6 }), (all) => {
      let stop = aStop(1);
      for (const each of all) {
        const before = stop;
        try {
          stop = { ...stop, verification: demandProof(world, stop, each, '/x') };
        } catch (error) {
          // A refused demand leaves the stop as it was.
          if (!(error instanceof Refusal)) throw error;
        }
        expect(missingProof(stop)).toEqual(expect.arrayContaining(missingProof(before)));
        expect(stop.verification?.minAge ?? 0).toBeGreaterThanOrEqual(before.verification?.minAge ?? 0);
        const pin = before.verification?.pin ?? null;
        if (pin !== null) expect(stop.verification?.pin).toEqual(pin);
        for (const code of before.verification?.barcodes ?? [])
          expect(stop.verification?.barcodes).toContainEqual(code);
      }
    }),
  );
});

test('[H383] a lower demand is refused with its place in the body', async () => {
  const { delivery } = await storeHeld(world, 'assigned');
  const pin = { type: 'merchant_provided', value: '4711' } as const;
  await demand(delivery, { picture: true, signature: { collectName: true }, pin, minAge: 18 });
  for (const [lower, field] of [
    [{ picture: false }, 'picture'],
    [{ signature: null }, 'signature'],
    [{ signature: { collectName: false } }, 'signature/collect_name'],
    [{ pin: null }, 'pin'],
    [{ pin: { ...pin, value: '4712' } }, 'pin'],
    [{ pin: PIN }, 'pin'],
    [{ minAge: 16 }, 'identification/min_age'],
  ] as const) {
    const { told } = await refusalOf(demand(delivery, lower));
    expect(told.reason).toBe('verification_lowered');
    expect(told.errors).toMatchObject([{ pointer: `/drop_off/0/verification/${field}` }]);
  }
  expect((await demand(delivery, { pin })).version).toBe(2);
  const many = Array.from({ length: 20 }, (_, index) => ({ value: `B${index}`, type: 'QR' as const }));
  await demand(delivery, { barcodes: many });
  const { told } = await refusalOf(demand(delivery, { barcodes: [{ value: 'one more', type: 'QR' }] }));
  expect(told.errors).toMatchObject([{ pointer: '/drop_off/0/verification/barcodes', code: 'too_big' }]);
});

test('[H384] nobody is met where the courier leaves the goods, so such a stop gets neither signature, PIN nor age', async () => {
  const { delivery } = await storeHeld(world, 'assigned', {
    dropOffs: [aStop(1, { deliverableAction: 'leave_at_door' })],
  });
  for (const meeting of [{ signature: {} }, { pin: PIN }, { minAge: 18 }]) {
    const { told } = await refusalOf(demand(delivery, meeting));
    expect(told.errors?.map(({ code }) => code)).toEqual(['leave_at_door']);
  }
  expect((await demand(delivery, { picture: true })).dropOffs[0]?.verification?.picture).toBe(true);
});

test('[H385] the courier learns of an added PIN but not its digits, and the stop ends only with it', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const after = await demand(delivery, { pin: PIN });
  const digits = pinOf(world.vault, after.dropOffs[0] ?? aStop(1)) ?? '';
  expect(digits).toMatch(/^\d{4}$/);
  const shown = presentForCourier(presentDelivery(after, etaOf(after, aMoment(world.clock.now()))));
  expect(shown.drop_off[0]?.verification?.pin).toEqual({ enabled: true, type: 'random' });
  expect(JSON.stringify(await eventsOf(world, delivery.id))).not.toContain(`"${digits}"`);
  const by = asCourier(courier);
  const at = { deliveryId: delivery.id, stop: 1, overrideReason: 'no satellites' };
  await pickUp(world, at, by);
  await depart(world, at, by);
  expect(await codeOf(deliverStop(world, at, by))).toBe('proof_required');
  await recordProof(
    world,
    { deliveryId: delivery.id, stop: 1, pointer: '', filesPointer: '', given: { pin: digits } },
    by,
  );
  expect((await deliverStop(world, at, by)).state).toBe('delivered');
});
