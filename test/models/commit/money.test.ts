import { expect, test } from 'vitest';
import { withEffects } from '../../../src/dispatch/change-delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createCommit } from '../../../src/models/commit/commit.ts';
import { ACCOUNTS } from '../../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import type { AccountId } from '../../../src/money/ledger/accounts.ts';
import { availableOf } from '../../../src/money/ledger/decide.ts';
import type { Change, CommitResult } from '../../../src/ports/changes.ts';
import { aBirth, aChange, CLOCK, openHouse, SETTINGS } from '../../engines/mongo-house.ts';
import { aCapture, aCredit, aHold, aWallet } from '../../money/ledger/commands.ts';

const house = await openHouse('commit-money');
const { mongo, ledger } = house;
/** Another process. */
const other = createCommit(mongo, CLOCK, SETTINGS);
const verify = () => verifyLedger(mongo, () => undefined);

async function aFundedWallet(amount: number): Promise<AccountId> {
  const wallet = aWallet();
  expect(await ledger.post(aCredit(newId('req'), wallet, amount), null)).toMatchObject({ ok: true });
  return wallet;
}

function aHoldingBirth(wallet: AccountId, amount: number): Change {
  const birth = aBirth();
  return withEffects(birth, [{ kind: 'book', command: aHold(`delivery:${birth.after.id}`, wallet, amount) }]);
}

/** Ends a delivery, and captures an amount of its hold. */
function aChargingEnd({ after }: Change, wallet: AccountId, amount: number): Change {
  const change = aChange(after, { state: 'canceled' });
  const command = aCapture(`delivery:${after.id}`, `charge:${after.id}`, wallet, amount);
  return withEffects(change, [{ kind: 'book', command }]);
}

const isStored = (result: CommitResult): boolean => result.ok;

test('[J19] of 60 births at once with funds for 25, exactly 25 are stored, and the others leave no trace', async () => {
  const wallet = await aFundedWallet(25 * 30 + 29);
  const births = Array.from({ length: 60 }, () => aHoldingBirth(wallet, 30));
  const free = Array.from({ length: 20 }, () => aBirth());
  const results = await Promise.all(
    [...births, ...free].map((birth, at) => (at % 3 === 0 ? other : house.commit)(birth)),
  );
  const [held, unheld] = [results.slice(0, 60), results.slice(60)];
  expect(held.filter(isStored)).toHaveLength(25);
  expect(held.filter((result) => !result.ok)).toEqual(
    Array.from({ length: 35 }, () => ({ ok: false, why: 'unfunded' })),
  );
  expect(unheld.every(isStored)).toBe(true);
  const stored = await Promise.all(births.map(({ after }) => house.deliveries.find(after.id)));
  expect(stored.map((delivery) => delivery !== null)).toEqual(held.map(isStored));
  const balance = await ledger.balance(wallet);
  expect([balance.held, availableOf(balance)]).toEqual([750, 29]);
  expect(await verify()).toMatchObject({ ok: true, faults: [] });
});

test('[J20] a change and its money are stored together, and two ends of one delivery book one of them', async () => {
  const wallet = await aFundedWallet(1000);
  const births = Array.from({ length: 12 }, () => aHoldingBirth(wallet, 50));
  for (const result of await Promise.all(births.map((birth) => house.commit(birth)))) expect(result.ok).toBe(true);
  const ends = births.flatMap((birth) => [
    house.commit(aChargingEnd(birth, wallet, 50)),
    other(aChargingEnd(birth, wallet, 10)),
  ]);
  const results = await Promise.all(ends);
  const pairs = births.map((_birth, at) => results.slice(2 * at, 2 * at + 2));
  for (const pair of pairs) {
    expect(pair.filter(isStored)).toHaveLength(1);
    expect(pair.find((result) => !result.ok)).toEqual({ ok: false, why: 'stale' });
  }
  const charged = pairs.reduce((sum, [first]) => sum + (first?.ok === true ? 50 : 10), 0);
  expect(await ledger.balance(wallet)).toEqual({ posted: 1000 - charged, held: 0, owed: 0, isFrozen: false });
  expect(await verify()).toMatchObject({ ok: true, faults: [] });
});

test('[D200] changes of one wallet that wait at the same time share a transaction', async () => {
  const wallet = await aFundedWallet(1000);
  const births = Array.from({ length: 40 }, () => aHoldingBirth(wallet, 1));
  const rises = async () => Number((await house.mongo.collection(ACCOUNTS).findOne({ _id: wallet }))?.version);
  const before = await rises();
  await Promise.all(births.map((birth) => house.commit(birth)));
  expect((await rises()) - before).toBe(1);
  await Promise.all(births.map((birth) => house.commit(aChargingEnd(birth, wallet, 1))));
  expect((await rises()) - before).toBe(2);
});
