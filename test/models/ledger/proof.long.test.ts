import { expect, test } from 'vitest';
import { TOTALS } from '../../../src/models/ledger/ledger-shapes.ts';
import { createLedger } from '../../../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
import { IN_TRANSIT, SUSPENSE } from '../../money/ledger/book.ts';
import { proveStore } from './prove-store.ts';

const { mongo } = await openHouse('ledger-proof');
/** Four ledgers on one database, as of four processes. */
const ledgers = Array.from({ length: 4 }, () => createLedger(mongo, CLOCK));
/** Commands between two checks of the whole ledger. */
const CHECK_EVERY = 2000;

test('[J8] 20,000 random commands on the database, alone and two at once, do what a plain model does', async () => {
  const seed = Date.now() % 1_000_000_000;
  process.stderr.write(`20,000 commands on the database, seed ${seed}\n`);
  let nextCheck = CHECK_EVERY;
  await proveStore(ledgers, 20_000, seed, async (count) => {
    await ledgers[0]?.seal(500);
    if (count < nextCheck) return;
    nextCheck += CHECK_EVERY;
    expect((await verifyLedger(mongo, () => undefined)).faults).toEqual([]);
    process.stderr.write(`${count} commands, seed ${seed}\n`);
  });
  while (((await ledgers[0]?.seal(500)) ?? 0) > 0);
  expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  const waiting = mongo.collection(TOTALS).find({ _id: { $in: [IN_TRANSIT, SUSPENSE] } }, { useBigInt64: true });
  expect((await waiting.toArray()).map(({ posted }) => posted)).toEqual([0n, 0n]);
});
