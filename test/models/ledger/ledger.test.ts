import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mongo as mongodb } from 'mongoose';
import { newId } from '../../../src/domain/ids.ts';
import { AUDIT } from '../../../src/models/audit-shapes.ts';
import { createLedger } from '../../../src/models/ledger/ledger-store.ts';
import { ACCOUNTS, ENTRIES, SEALS, TOTALS } from '../../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { availableOf, type Command, type LedgerResult } from '../../../src/money/ledger/decide.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
import { ODD } from '../../odd-rows.ts';
import { anEntry } from '../audit/an-entry.ts';
import { createSettling } from '../../money/ledger/settling.ts';
import { proveStore } from './prove-store.ts';
import { REVENUE } from '../../money/ledger/book.ts';
import {
  aCapture,
  aCharge,
  aCredit,
  aHold,
  aWallet,
  commandOf,
  someAccounts,
  STEPS,
} from '../../money/ledger/commands.ts';

const { mongo } = await openHouse('ledger');
/** Four ledgers on one database, as of four processes. */
const ledgers = Array.from({ length: 4 }, () => createLedger(mongo, CLOCK));
const [ledger = createLedger(mongo, CLOCK)] = ledgers;
const ledgerOf = (index: number) => ledgers[index % ledgers.length] ?? ledger;
const post = (command: Command) => ledger.post(command, null);
const toldOf = (result: LedgerResult) => (result.ok ? (result.isRepeat ? 'repeat' : 'done') : result.why);
const verify = () => verifyLedger(mongo, () => undefined);
let next = 0;
const aKey = (): string => `fact ${(next += 1)}`;

async function aFundedWallet(amount: number) {
  const wallet = aWallet();
  expect(toldOf(await post(aCredit(aKey(), wallet, amount)))).toBe('done');
  return wallet;
}

test('[J4] of 200 spends in four processes with funds for 50, exactly 50 pass', async () => {
  const wallet = await aFundedWallet(50 * 30 + 29);
  const spends = Array.from({ length: 200 }, (_, index) =>
    ledgerOf(index).post(index % 2 === 0 ? aCharge(aKey(), wallet, 30) : aHold(aKey(), wallet, 30), null),
  );
  const told = (await Promise.all(spends)).map(toldOf);
  expect([told.filter((one) => one === 'done').length, new Set(told)]).toEqual([
    50,
    new Set(['done', 'insufficient_funds']),
  ]);
  expect(availableOf(await ledger.balance(wallet))).toBe(29);
  expect(await verify()).toMatchObject({ ok: true, faults: [] });
});

test('[J4] a command that is alone in its group is refused as in company', async () => {
  const wallet = await aFundedWallet(5);
  const told: string[] = [];
  for (const command of [
    aCharge(aKey(), wallet, 6),
    aHold(aKey(), wallet, 6),
    aCredit(aKey(), wallet, Number.MAX_SAFE_INTEGER),
    aCharge(aKey(), wallet, 5),
  ])
    told.push(toldOf(await post(command)));
  expect(told).toEqual(['insufficient_funds', 'insufficient_funds', 'out_of_range', 'done']);
});

test('[J5] of 100 requests with one key in four processes, one is booked', async () => {
  const [wallet, key] = [await aFundedWallet(100), aKey()];
  const [one, other] = [aCharge(key, wallet, 60), aCharge(key, wallet, 61)];
  const told = (await Promise.all(Array.from({ length: 100 }, (_, at) => ledgerOf(at).post(one, null)))).map(toldOf);
  expect([told.filter((each) => each === 'done').length, new Set(told)]).toEqual([1, new Set(['done', 'repeat'])]);
  expect(toldOf(await post(other))).toBe('key_reused');
  expect(await ledger.balance(wallet)).toEqual({ posted: 40, held: 0, owed: 0, isFrozen: false });
});

test('[J6] of 20 captures and voids of one hold at once, one passes', async () => {
  const [wallet, hold] = [await aFundedWallet(100), aKey()];
  await post(aHold(hold, wallet, 80));
  const tries = Array.from({ length: 20 }, (_, at): Command =>
    at % 4 === 0 ? { do: 'void', holdKey: hold, account: wallet } : aCapture(hold, aKey(), wallet, 50 + at),
  );
  const told = (await Promise.all(tries.map((command, at) => ledgerOf(at).post(command, null)))).map(toldOf);
  const captures = told.filter((_, at) => at % 4 !== 0);
  const voids = told.filter((_, at) => at % 4 === 0);
  const captured = captures.filter((one) => one === 'done').length;
  expect(captured + voids.filter((one) => one === 'done').length).toBe(1);
  expect(voids.includes('repeat')).toBe(captured === 0);
  expect((await ledger.balance(wallet)).held).toBe(0);
  expect(await verify()).toMatchObject({ ok: true });
});

test('[J8] after random commands on the database, balances and answers are those of a plain model', async () => {
  await proveStore(ledgers, 100, Date.now() % 1_000_000_000, () => Promise.resolve());
  expect(await verify()).toMatchObject({ ok: true, faults: [] });
});

test('[J8] the answers of random commands at once leave balances that add up', async () => {
  const wallets = [await aFundedWallet(300), await aFundedWallet(10), aWallet()];
  const earlier: Command[] = [];
  const [past, settling] = [{ earlier, isBooked: () => true }, createSettling()];
  for (const step of fc.sample(STEPS, 300))
    earlier.push(commandOf(step, 'at once', { ...someAccounts(0), wallets }, past, settling));
  await Promise.all(earlier.map((command, at) => ledgerOf(at).post(command, null)));
  expect(await verify()).toMatchObject({ ok: true, faults: [] });
});

test('[J3] the database refuses an entry that is not sound, and an account that is below zero', async () => {
  const wallet = await aFundedWallet(5);
  const found = await mongo.collection(ENTRIES).findOne({ 'postings.account': wallet }, { useBigInt64: true });
  if (found === null) throw new Error('the credit is stored');
  const [out, into] = found.postings;
  if (out === undefined || into === undefined) throw new Error('it has two postings');
  const rows = mongo.db.collection<{ _id: string }>(ENTRIES.name);
  const unsound = [
    { postings: [out] },
    { postings: [out, { ...into, amount: 6n }] },
    { postings: [out, { ...into, amount: 5 }] },
    { postings: [out, { ...into, account: REVENUE.replace('test', 'live') }] },
  ];
  for (const change of unsound)
    await expect(rows.insertOne({ ...found, _id: aKey(), ...change })).rejects.toMatchObject({ code: 121 });
  await rows.insertOne({ ...found, _id: 'sound' });
  await rows.deleteOne({ _id: 'sound' });
  const accounts = mongo.db.collection<{ _id: string }>(ACCOUNTS.name);
  for (const $inc of [{ posted: -6n, available: -6n }, { posted: 1n }, { held: -1n, available: 1n }])
    await expect(accounts.updateOne({ _id: wallet }, { $inc } as never)).rejects.toMatchObject({ code: 121 });
});

test('[J12] the audit log has an entry exactly if its command has changed something', async () => {
  const [wallet, objectId] = [await aFundedWallet(5), newId('ven')];
  const audit = { ...anEntry(), objectId };
  const isAudited = async (id: string) => (await mongo.collection(AUDIT).countDocuments({ objectId: id })) > 0;
  await ledger.post(aCharge(aKey(), wallet, 6), audit);
  expect(await isAudited(objectId)).toBe(false);
  const charge = aCharge(aKey(), wallet, 5);
  await ledger.post(charge, audit);
  expect(await isAudited(objectId)).toBe(true);
  const again = newId('ven');
  await ledger.post(charge, { ...anEntry(), objectId: again });
  expect(await isAudited(again)).toBe(false);
});

test('[J10] however many processes seal at once, each entry and each posting counts once', async () => {
  const due = () => mongo.collection(ENTRIES).countDocuments({ due: true });
  expect(await due()).toBeGreaterThan(100);
  while ((await due()) > 0) await Promise.all(ledgers.map((one) => one.seal(40)));
  const links = await mongo.collection(SEALS).find().sort({ _id: 1 }).toArray();
  expect(links.map(({ _id }) => _id)).toEqual(links.map((_, at) => at + 1));
  const ids = links.flatMap(({ entryIds }) => entryIds);
  expect([ids.length, new Set(ids).size]).toEqual([await mongo.collection(ENTRIES).countDocuments(), ids.length]);
  expect(await verify()).toMatchObject({ ok: true, entries: ids.length, head: { sequence: links.length } });
});

test('[J16] checks find no fault while four processes book and seal', async () => {
  const wallets = await Promise.all(Array.from({ length: 3 }, () => aFundedWallet(1000)));
  const work = { isOver: false };
  const busy = ledgers.map(async (one, at) => {
    while (!work.isOver) {
      const charges = wallets.map((wallet) => one.post(aCharge(aKey(), wallet, 1 + at), null));
      await Promise.all([...charges, one.seal(10)]);
    }
  });
  for (let check = 0; check < 8; check += 1) expect((await verify()).faults).toEqual([]);
  work.isOver = true;
  await Promise.all(busy);
});

/** Does some harm behind the back of the validators, reads what the check says, and mends it. */
async function harmed(name: string, filter: object, change: object): Promise<readonly string[]> {
  const rows = mongo.db.collection(name);
  const before = await rows.findOne(filter, { promoteValues: false });
  if (before === null) throw new Error(`${name} has such a row`);
  if (Object.keys(change).length === 0) await rows.deleteOne({ _id: before._id });
  else await rows.updateOne({ _id: before._id }, change, ODD);
  const { ok, faults } = await verify();
  expect(ok).toBe(false);
  await rows.replaceOne({ _id: before._id }, before, { ...ODD, upsert: true });
  expect((await verify()).ok).toBe(true);
  return faults;
}

test('[J9] an entry that was added beside the chain is found, whatever its key is', async () => {
  const rows = mongo.db.collection(ENTRIES.name);
  for (const _id of [new mongodb.ObjectId(), 'zzz', '', 7, new Date()] as mongodb.ObjectId[]) {
    await rows.insertOne({ _id, postings: [] }, ODD);
    const { ok, faults } = await verify();
    await rows.deleteOne({ _id });
    expect([ok, faults]).toEqual([false, [expect.stringMatching(/^There are/)]]);
  }
  expect((await verify()).ok).toBe(true);
});

test('[J9] a changed or removed row of any collection is found', async () => {
  const wallet = await aFundedWallet(5);
  await post(aHold(aKey(), wallet, 3));
  while ((await ledger.seal(500)) > 0);
  const long = (value: number) => mongodb.Long.fromNumber(value);
  const harms: readonly (readonly [string, object, object, RegExp])[] = [
    [ENTRIES.name, {}, { $set: { reason: 'another' } }, /was changed/],
    [
      ENTRIES.name,
      { 'postings.0.amount': { $ne: long(7) } },
      { $set: { 'postings.0.amount': long(7) } },
      /does not sum to zero/,
    ],
    [ENTRIES.name, {}, { $set: { due: true } }, /There are/],
    [ENTRIES.name, { link: { $ne: 7 } }, { $set: { link: 7 } }, /names another one/],
    [ENTRIES.name, {}, {}, /is missing/],
    [SEALS.name, { _id: 2 }, {}, /Link 2 of the chain is missing/],
    [SEALS.name, { _id: 2 }, { $set: { hash: 'x' } }, /Link 2/],
    [ACCOUNTS.name, { _id: wallet }, { $inc: { posted: long(1), available: long(1) } }, /but its entries sum to 5/],
    [ACCOUNTS.name, { _id: wallet }, { $inc: { held: long(-1), available: long(1) } }, /but its open holds sum to 3/],
    [ACCOUNTS.name, { _id: wallet }, { $inc: { available: long(1) } }, /wrong available/],
    [ACCOUNTS.name, { _id: wallet }, {}, /is missing/],
    ['ledger_holds', { account: wallet }, {}, /but its open holds sum to 0/],
    [TOTALS.name, {}, { $inc: { posted: long(1) } }, /The total of/],
    [TOTALS.name, {}, {}, /is missing/],
  ];
  for (const [name, filter, change, told] of harms) {
    const faults = await harmed(name, filter, change);
    expect([name, change, faults.some((fault) => told.test(fault))]).toEqual([name, change, true]);
  }
});
