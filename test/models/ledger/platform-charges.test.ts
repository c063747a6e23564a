import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import { BILLED_KINDS, kindsOf, TRANSACTION_KINDS } from '../../../src/money/billing/transactions.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
import { chargeOf } from '../../money/billing/charges.ts';
import { endOf, funded10 } from '../../money/charges/ends.ts';
import { BOOK } from '../../money/ledger/book.ts';
import { captureCommands, explain } from '../explain/captured.ts';

const house = await openHouse('platform-charges', 'monitorCommands=true');
const { mongo, ledger, transactions } = house;
const capture = captureCommands(mongo);

/** Deliveries that the platform pays, half of them before and half of them after those that the vendor pays. */
const [UNSEEN, SEEN] = [500, 3];

test('[J364] a list of what a vendor paid reads no delivery that the platform has paid', async () => {
  const owner = { vendorId: newId('ven'), liveMode: false };
  const unseen = (count: number): Command[] =>
    Array.from({ length: count }, () => endOf('charge', funded10('in_transit', owner, 1000)).commands).flat();
  const charges = Array.from({ length: SEEN }, () => chargeOf({ ...owner, book: BOOK, over: 100 }));
  for (const commands of [unseen(UNSEEN / 2), charges, unseen(UNSEEN / 2)])
    expect(await Promise.all(commands.map((command) => ledger.post(command, null)))).toEqual(
      commands.map(() => ({ ok: true, isRepeat: false })),
    );
  expect(await mongo.collection(ENTRIES).countDocuments(owner)).toBe(UNSEEN + SEEN);
  capture.taken();
  const page = { limit: 20, after: null };
  const filters = [
    { kinds: TRANSACTION_KINDS },
    { kinds: BILLED_KINDS },
    { kinds: kindsOf('debit'), direction: 'debit' },
    { kinds: BILLED_KINDS, from: 0, to: CLOCK.now() + 60_000 },
  ] as const;
  for (const filter of filters) {
    const { items, next } = await transactions.list({ ...owner, ...filter }, page);
    expect([items.map(({ kind }) => kind), next]).toEqual([charges.map(() => 'charge'), null]);
    const { next: after } = await transactions.list({ ...owner, ...filter }, { limit: 2, after: null });
    expect((await transactions.list({ ...owner, ...filter }, { limit: 2, after })).items).toHaveLength(1);
  }
  const queries = capture.taken();
  expect(queries).toHaveLength(3 * filters.length);
  for (const command of queries)
    for (const { docs, keys, stages } of await explain(mongo, command)) {
      expect(stages).not.toContain('COLLSCAN');
      expect(docs).toBeLessThanOrEqual(SEEN);
      // Each kind is a range of the index, which is left at one key more.
      expect(keys).toBeLessThanOrEqual(2 * SEEN + TRANSACTION_KINDS.length);
    }
});
