import { beforeAll, expect, test } from 'vitest';
import { ENTRIES, SEALS } from '../../../src/models/ledger/ledger-shapes.ts';
import { checkInPieces } from '../../../src/models/ledger/verify-ledger.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { aCharge, aCredit, aWallet } from '../../money/ledger/commands.ts';
import { ODD } from '../../odd-rows.ts';
import { costsOf } from '../reading-costs.ts';

/** Charges of 1, most of which are sealed in pairs, as a server does if few are booked in a second. */
const CHARGES = 900;
const PAIRS = 120;

const { ledger, mongo } = await openHouse('small-links');
const entries = mongo.db.collection<{ _id: string }>(ENTRIES.name);

beforeAll(async () => {
  const wallet = aWallet();
  await ledger.post(aCredit('credit', wallet, 5000), null);
  const charges = Array.from({ length: CHARGES }, (_, at) => ledger.post(aCharge(`charge ${at}`, wallet, 1), null));
  await Promise.all(charges);
  for (let pairs = 0; pairs < PAIRS; pairs += 1) await ledger.seal(2);
  // Two long links end a page of small ones.
  for (const entriesOfLink of [460, 500]) await ledger.seal(entriesOfLink);
});

/** Checks the ledger, and returns what it found and how many entries it had read after each piece. */
async function check() {
  const reached: number[] = [];
  const found = await checkInPieces(mongo, (count) => reached.push(count) > 0, 10);
  return { found, steps: reached.map((count, at) => count - (reached[at - 1] ?? 0)) };
}

test('[S105] a check reads the entries of many small links together, and at most 500 of them', async () => {
  const { found, steps } = await check();
  expect(found).toMatchObject({ ok: true, entries: CHARGES + 1, head: { sequence: PAIRS + 2 } });
  // A page of 100 links, the rest of the pairs with the first long link, and the second one.
  expect(steps.filter((count) => count > 0)).toEqual([200, 2 * (PAIRS - 100) + 460, CHARGES + 1 - 2 * PAIRS - 460]);
  expect(steps.length).toBeLessThan(20);
});

test('[S105] the database finds the links and entries of a check by their keys', async () => {
  for (const { name } of [SEALS, ENTRIES]) {
    const costs = await costsOf(mongo, name, check);
    // The links: two pages, and twice none. The entries: three groups, those that are due, and two counts of keys.
    expect([name, costs.length]).toEqual([name, name === SEALS.name ? 4 : 7]);
    for (const { planSummary } of costs) expect(planSummary).not.toContain('COLLSCAN');
  }
});

test('[J9] a changed or removed entry of a small link is found in its own link', async () => {
  const links = await mongo
    .collection(SEALS)
    .find({}, { sort: { _id: 1 } })
    .toArray();
  for (const number of [1, 50, 100, 101, PAIRS]) {
    const [_id = ''] = links[number - 1]?.entryIds ?? [];
    const before = await entries.findOne({ _id }, { promoteValues: false });
    if (before === null) throw new Error('the entry is stored');
    await entries.updateOne({ _id }, { $set: { reason: 'another' } }, ODD);
    expect((await check()).found?.faults).toEqual([`Link ${number}, or one of its entries, was changed.`]);
    await entries.deleteOne({ _id });
    expect((await check()).found?.faults).toContain(`An entry of link ${number} is missing.`);
    await entries.insertOne(before, ODD);
  }
  expect((await check()).found?.ok).toBe(true);
});
