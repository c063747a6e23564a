import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId, type VendorId } from '../../../../src/domain/ids.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { SETTLEMENT_ACCOUNTS } from '../../../../src/models/ledger/settlement/settlement-shapes.ts';
import { aVendor } from '../../../builders.ts';
import { openHouse } from '../../house.ts';
import { BOOK, DAY_MS, openSettling } from './settling.ts';

const house = await openHouse('each entry once');
const { period, dueAt, seal, turn, sell, ledgerAt, list, payable } = openSettling(house);
const HOUR_MS = 3_600_000;

/** A sale in the present day or in an earlier one, a seal, or the end of the day in one process or in two. */
const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      daysAgo: fc.nat(2),
      hour: fc.nat(23),
      value: fc.nat(300),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('seal' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('end' as const), processes: fc.integer({ min: 1, max: 2 }) }),
  },
);
const STEPS = fc.array(STEP, { minLength: 10, maxLength: 25 });
type Steps = typeof STEPS extends fc.Arbitrary<infer T> ? T : never;

/** Takes the steps, and then settles what is left. Returns the sum of the sales. */
async function play(vendorId: VendorId, steps: Steps): Promise<number> {
  let [day, sold] = [0, 0];
  const endDay = async (processes: number): Promise<void> => {
    await Promise.all(Array.from({ length: processes }, () => turn(dueAt(day))));
    day += 1;
  };
  for (const step of steps) {
    if (step.kind === 'seal') await seal();
    if (step.kind === 'end') await endDay(step.processes);
    if (step.kind !== 'sell') continue;
    const bookedAt = period.to + (day - 1 - step.daysAgo) * DAY_MS + step.hour * HOUR_MS;
    await sell(vendorId, step.value, 0, ledgerAt(bookedAt));
    sold += step.value;
  }
  await seal();
  await endDay(1);
  await endDay(1);
  await seal();
  return sold;
}

test('[J197] whatever the order of sales, seals and turns, each entry is in one statement and is paid once', async () => {
  const property = fc.asyncProperty(STEPS, async (steps) => {
    const { id } = await house.ctx.vendors.add(aVendor({ id: newId('ven') }));
    const sold = await play(id, steps);
    const settlements = (await list(id)).toReversed();
    const accounts = house.mongo.collection(SETTLEMENT_ACCOUNTS);
    const account = await accounts.findOne({ _id: `${id}:${BOOK}` }, { useBigInt64: true });
    if (account === null) {
      expect(sold).toBe(0);
      return;
    }
    const read = { vendorId: id, liveMode: false, link: { $lte: account.link }, at: { $lt: account.from } };
    const entries = await house.mongo.collection(ENTRIES).countDocuments(read);
    const paid = settlements.reduce((sum, { amount }) => sum + amount, 0);
    expect(settlements.reduce((sum, { statement }) => sum + statement.entries, 0)).toBe(entries);
    expect([paid + Number(account.carried), await payable(id)]).toEqual([sold, sold - paid]);
    for (const [at, { period: own, carriedIn }] of settlements.entries()) {
      const before = settlements[at - 1];
      expect(own.from >= (before?.period.to ?? 0)).toBe(true);
      expect(carriedIn).toBe(before?.carriedOut ?? 0);
    }
  });
  await fc.assert(property, { numRuns: 5 });
}, 60_000);
