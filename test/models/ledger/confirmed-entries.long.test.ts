import { afterEach, expect, test } from 'vitest';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import { openSetHouse } from '../../engines/set-house.ts';
import { aCredit, aWallet } from '../../money/ledger/commands.ts';
import { until } from '../../until.ts';

const { set, ledger, mongo } = await openSetHouse();
afterEach(() => set.resumeReplication());

test('[J407] what is booked is decided only by entries that a majority of the database has', async () => {
  const credit = aCredit('top_up:1', aWallet(), 100);
  await set.stopReplication();
  // It may be refused as busy, although it is booked once the majority is back.
  const posting = ledger.post(credit, null).catch(() => null);
  await until(async () => (await mongo.collection(ENTRIES).countDocuments({ _id: 'top_up:1' })) === 1);
  const reads = () => [ledger.find(['top_up:1']), ledger.listAbout('order 7')];
  const early = await Promise.allSettled(reads());
  expect(early).toMatchObject([{ reason: { code: 'busy' } }, { reason: { code: 'busy' } }]);
  await set.resumeReplication();
  await posting;
  expect(await Promise.all(reads())).toMatchObject([[{ key: 'top_up:1' }], [{ key: 'top_up:1' }]]);
});
