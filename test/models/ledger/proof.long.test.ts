import { expect, test } from 'vitest';
import { ENTRIES, TOTALS } from '../../../src/models/ledger/ledger-shapes.ts';
import { createLedger } from '../../../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { ENTRY_KIND_NAMES } from '../../../src/money/ledger/entries.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
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
  const expected = await proveStore(ledgers, 20_000, seed, async (count) => {
    await ledgers[0]?.seal(500);
    if (count < nextCheck) return;
    nextCheck += CHECK_EVERY;
    expect((await verifyLedger(mongo, () => undefined)).faults).toEqual([]);
    process.stderr.write(`${count} commands, seed ${seed}\n`);
  });
  while (((await ledgers[0]?.seal(500)) ?? 0) > 0);
  expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  const rows = mongo.collection(TOTALS).find({ _id: { $in: [...expected.keys()] } }, { useBigInt64: true });
  const posted = new Map((await rows.toArray()).map((row) => [row._id, Number(row.posted)]));
  for (const [account, sum] of expected) expect([account, posted.get(account) ?? 0]).toEqual([account, sum]);
  const kinds = await mongo.collection(ENTRIES).distinct('kind');
  expect(kinds.toSorted()).toEqual(ENTRY_KIND_NAMES.toSorted());
});
