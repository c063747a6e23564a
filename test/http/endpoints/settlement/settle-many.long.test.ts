import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { addVendor, openHouse } from '../../house.ts';
import { openSettling } from './settling.ts';

const house = await openHouse('settle many');
const { dueAt, seal, turn, sell, list, payable, balance } = openSettling(house);
const DELIVERIES = 10_000;
const MOST_MS = 5000;
const FUNDS = 1_000_000_000;

test('[J200] 10,000 deliveries are settled in less than 5 s, and another turn changes nothing', async () => {
  const vendor = await addVendor(house);
  for (let from = 0; from < DELIVERIES; from += 500)
    await Promise.all(Array.from({ length: 500 }, (_, at) => sell(vendor.id, from + at)));
  await seal();
  const began = performance.now();
  await turn(dueAt());
  const tookMs = performance.now() - began;
  const owed = (DELIVERIES * (DELIVERIES - 1)) / 2;
  const found = await list(vendor.id);
  const [{ statement, amount, state } = {}] = found;
  expect([found.length, state, amount]).toEqual([1, 'draft', owed]);
  expect(statement).toMatchObject({
    // The first delivery had no value, and the wallet was filled once.
    entries: 2 * DELIVERIES,
    charges: [{ type: 'delivery', count: DELIVERIES, amount: 450 * DELIVERIES, tax: 20 * DELIVERIES }],
    changes: { wallet: FUNDS - 450 * DELIVERIES, receivable: 0, payable: owed },
  });
  expect([await payable(vendor.id), await balance(vendor.id)]).toEqual([owed, FUNDS - 450 * DELIVERIES]);
  await turn(dueAt());
  expect(await list(vendor.id)).toEqual(found);
  expect((await verifyLedger(house.mongo, () => undefined)).faults).toEqual([]);
  process.stdout.write(`${DELIVERIES} deliveries settled in ${Math.round(tookMs)} ms\n`);
  expect(tookMs).toBeLessThan(MOST_MS);
}, 300_000);
