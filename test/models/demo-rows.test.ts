import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { AUDIT } from '../../src/models/audit-shapes.ts';
import { createDemoRows } from '../../src/models/demo-rows.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { vendorAccount } from '../../src/money/ledger/accounts.ts';
import { CENTER } from '../builders.ts';
import { CLOCK, openHouse } from '../engines/mongo-house.ts';
import { BOOK } from '../money/ledger/book.ts';
import { aCredit, aHold } from '../money/ledger/commands.ts';
import { CLAIMS } from '../../src/models/claim-shape.ts';
import { DISPUTES } from '../../src/models/disputes/dispute-shapes.ts';
import { ENTRIES } from '../../src/models/ledger/ledger-shapes.ts';
import { SETTLEMENTS } from '../../src/models/ledger/settlement/settlement-shapes.ts';
import { SUSPENSE } from '../../src/models/ledger/wallets/suspense-store.ts';
import { reserveDisputed } from '../../src/money/disputes/book-dispute.ts';
import { bookArrival } from '../../src/money/suspense/suspense.ts';
import { aDispute } from '../money/disputes/a-dispute.ts';
import { settleOnce } from '../money/settlement/an-account.ts';
import { aSuspense } from '../money/suspense/a-suspense.ts';
import { anEntry, anUnfitEntry, UNFIT } from './audit/an-entry.ts';

const { mongo, ledger, disputes, settlements, suspense } = await openHouse('demo-rows');
const tools = { clock: CLOCK, ledger };

test('[A109] a removal of the demo ends together with its entry, and can be repeated until then', async () => {
  const rows = createDemoRows(mongo);
  const facts = {
    center: CENTER,
    vendor: { id: newId('ven'), api_key: '', location_id: newId('loc') },
    couriers: [{ id: newId('cou'), phone: '+4930123456' }],
    staff: { email: 'dispatcher@example.com', password: '' },
  };
  await rows.keep({ facts, isUnfinished: false });
  await expect(rows.remove(facts, tools, anUnfitEntry())).rejects.toThrow(UNFIT);
  expect(await rows.find()).toEqual({ facts, isUnfinished: false });
  const entry = anEntry();
  expect(await rows.remove(facts, tools, entry)).toEqual({ settings: 1 });
  expect(await rows.find()).toBeNull();
  expect(await mongo.collection(AUDIT).countDocuments({ _id: entry.id })).toBe(1);
});

test('[J237] the removal of the demo gives back the money that its open deliveries reserve', async () => {
  const rows = createDemoRows(mongo);
  const [vendorId, otherId] = [newId('ven'), newId('ven')];
  const [wallet, other] = [vendorAccount('wallet', vendorId, BOOK), vendorAccount('wallet', otherId, BOOK)];
  for (const [name, account] of [
    ['demo', wallet],
    ['other', other],
  ] as const) {
    await ledger.post(aCredit(`${name} credit`, account, 100), null);
    await ledger.post(aHold(`${name} hold`, account, 60), null);
  }
  const facts = {
    center: CENTER,
    vendor: { id: vendorId, api_key: '', location_id: newId('loc') },
    couriers: [],
    staff: { email: 'nobody@example.com', password: '' },
  };
  await rows.keep({ facts, isUnfinished: false });
  await rows.remove(facts, tools, anEntry());
  const heldOf = async (account: typeof wallet) => (await ledger.balance(account)).held;
  expect([await heldOf(wallet), await heldOf(other)]).toEqual([0, 60]);
  expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J237] it also gives back the reserves of open disputes, and leaves no dispute, settlement or suspense', async () => {
  const rows = createDemoRows(mongo);
  const [vendorId, otherId] = [newId('ven'), newId('ven')];
  const limits = { mostOpen: 9, mostSince: 9, since: 0 };
  for (const id of [vendorId, otherId]) {
    for (const state of ['open', 'in_review'] as const) {
      const dispute = aDispute({ vendorId: id, state });
      expect(await disputes.add(dispute, reserveDisputed(dispute), anEntry(), limits)).toMatchObject({ ok: true });
    }
    await settleOnce({ mongo, settlements }, { vendorId: id });
    const money = aSuspense({ vendorId: id, topUpId: newId('top') });
    await suspense.add(money, bookArrival(money));
  }
  const reserved = async (id: typeof vendorId) => {
    const entries = await mongo.collection(ENTRIES).find({ vendorId: id }).toArray();
    const postings = entries.flatMap((one) => one.postings).filter(({ account }) => account.startsWith('reserve:'));
    return postings.reduce((sum, { amount }) => sum + Number(amount), 0);
  };
  const count = async (id: typeof vendorId) => [
    await mongo.collection(DISPUTES).countDocuments({ vendorId: id }),
    await mongo.collection(CLAIMS).countDocuments({ _id: { $regex: `^alone:disputes:${id}:` } }),
    await mongo.collection(SETTLEMENTS).countDocuments({ vendorId: id }),
    await mongo.collection(SUSPENSE).countDocuments({ vendorId: id }),
  ];
  expect([await reserved(vendorId), await count(vendorId)]).toEqual([900, [2, 1, 1, 1]]);
  const facts = {
    center: CENTER,
    vendor: { id: vendorId, api_key: '', location_id: newId('loc') },
    couriers: [],
    staff: { email: 'nobody@example.com', password: '' },
  };
  await rows.keep({ facts, isUnfinished: false });
  await rows.remove(facts, tools, anEntry());
  expect([await reserved(vendorId), await count(vendorId)]).toEqual([0, [0, 0, 0, 0]]);
  expect([await reserved(otherId), await count(otherId)]).toEqual([900, [2, 1, 1, 1]]);
  expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});
