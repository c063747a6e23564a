import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { balanceIn, decide, type Command, type Draft, type LedgerRefusal } from '../../../src/money/ledger/decide.ts';
import { assertSound, ENTRY_KIND_NAMES, move, type Entry } from '../../../src/money/ledger/entries.ts';
import {
  besideAccount,
  bookOf,
  courierAccount,
  platformAccount,
  type AccountId,
} from '../../../src/money/ledger/accounts.ts';
import { BOOK, REVENUE } from './book.ts';
import { aCapture, aCharge, aCredit, aHold, aWallet } from './commands.ts';
import { provePure } from './prove-pure.ts';

/** A repayment of what was never owed. */
function repaying(wallet: AccountId, amount: number): Entry {
  const postings = move(amountOf(amount), wallet, besideAccount(wallet, 'receivable'));
  return { key: 'back', kind: 'repayment', book: BOOK, vendorId: null, postings, about: 'order 7', reason: null };
}

/** The same command, whose charge also takes money of another wallet. */
function alsoFrom(other: AccountId, command: Command): Command {
  if (command.do !== 'capture') return command;
  const postings = [...command.entry.postings, ...move(amountOf(1), other, platformAccount('tax', BOOK))];
  return { ...command, entry: { ...command.entry, postings } };
}

const emptyDraft = (): Draft => ({ balances: new Map(), holds: new Map(), booked: [] });

test('[J8] after random commands on the pure ledger, balances and answers are those of a plain model', () => {
  expect(provePure(1000, Date.now() % 1_000_000_000).count).toBeGreaterThanOrEqual(1000);
});

test('[J280] the random commands book every kind of entry', () => {
  expect([...provePure(2000, 1).kinds].toSorted()).toEqual(ENTRY_KIND_NAMES.toSorted());
});

test('[J4] a refused command leaves the draft as it was', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aHold('held', wallet, 60));
  const before = structuredClone(draft);
  const refused: readonly (readonly [LedgerRefusal, Command])[] = [
    ['insufficient_funds', aCharge('out', wallet, 41)],
    ['insufficient_funds', aHold('more', wallet, 41)],
    ['not_of_hold', aCapture('held', 'too much', wallet, 61)],
    ['hold_not_open', aCapture('none', 'no hold', wallet, 1)],
    ['not_of_hold', aCapture('held', 'other wallet', aWallet(), 1)],
    ['hold_not_open', { do: 'void', holdKey: 'none', account: wallet }],
    ['hold_not_open', { do: 'void', holdKey: 'held', account: aWallet() }],
    ['out_of_range', aCredit('huge', wallet, Number.MAX_SAFE_INTEGER)],
    ['out_of_range', { do: 'post', entry: repaying(wallet, 1) }],
    ['insufficient_funds', alsoFrom(aWallet(), aCapture('held', 'of two wallets', wallet, 60))],
  ];
  for (const [why, command] of refused)
    expect([command, decide(draft, command)]).toEqual([command, { ok: false, why }]);
  expect(draft).toEqual(before);
});

test('[J18] what a charge takes beyond its hold is owed, and the next money pays it first', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aHold('held', wallet, 60));
  decide(draft, aHold('other', wallet, 40));
  expect(decide(draft, aCapture('held', 'all', wallet, 60, 25)).ok).toBe(true);
  expect(balanceIn(draft, wallet)).toEqual({ posted: 40, held: 40, owed: 25, isFrozen: false });
  expect(decide(draft, aHold('next', wallet, 1))).toEqual({ ok: false, why: 'insufficient_funds' });
  decide(draft, aCredit('some', wallet, 10));
  expect(balanceIn(draft, wallet)).toEqual({ posted: 40, held: 40, owed: 15, isFrozen: false });
  decide(draft, { do: 'void', holdKey: 'other', account: wallet });
  expect(balanceIn(draft, wallet)).toEqual({ posted: 25, held: 0, owed: 0, isFrozen: false });
  expect(draft.booked.map(({ entry: { key } }) => key)).toEqual([
    'in',
    'all',
    'some',
    'repayment:some',
    'repayment:other',
  ]);
});

test('[J21] a frozen wallet refuses holds until it is not frozen any more, and its open holds are captured', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aHold('held', wallet, 60));
  decide(draft, { do: 'freeze', account: wallet, isFrozen: true });
  expect(decide(draft, aHold('next', wallet, 1))).toEqual({ ok: false, why: 'wallet_frozen' });
  expect(decide(draft, aCapture('held', 'charge', wallet, 60)).ok).toBe(true);
  decide(draft, { do: 'freeze', account: wallet, isFrozen: false });
  expect(decide(draft, aHold('next', wallet, 1)).ok).toBe(true);
});

test('[J6] what is not captured of a hold is available again', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aHold('held', wallet, 60));
  expect(decide(draft, aCapture('held', 'part', wallet, 25)).ok).toBe(true);
  expect(balanceIn(draft, wallet)).toEqual({ posted: 75, held: 0, owed: 0, isFrozen: false });
  expect(decide(draft, aCapture('held', 'again', wallet, 25))).toEqual({ ok: false, why: 'hold_not_open' });
  expect(decide(draft, { do: 'void', holdKey: 'held', account: wallet })).toEqual({ ok: false, why: 'hold_not_open' });
});

test('[J6] a capture is found by its wallet, wherever that posting stands, and a repeat of it changes nothing', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aHold('held', wallet, 60));
  const capture = aCapture('held', 'once', wallet, 25);
  if (capture.do !== 'capture') throw new Error('it is a capture');
  const turned = { ...capture, entry: { ...capture.entry, postings: capture.entry.postings.toReversed() } };
  expect(decide(draft, turned)).toEqual({ ok: true, isRepeat: false });
  expect(draft.holds.get('held')).toMatchObject({ state: 'captured', captured: 25, entryKey: 'once' });
  expect(decide(draft, turned)).toEqual({ ok: true, isRepeat: true });
  expect(balanceIn(draft, wallet)).toMatchObject({ posted: 75, held: 0 });
});

test('[J110] an entry is booked with what each account with a floor has after it, and no other', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aCharge('out', wallet, 30));
  expect(draft.booked.map(({ balances }) => [...balances])).toEqual([[[wallet, 100]], [[wallet, 70]]]);
});

test('[J18] a debt can be paid back to the last unit, and no further', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 10));
  decide(draft, aHold('held', wallet, 10));
  decide(draft, aCapture('held', 'all', wallet, 10, 5));
  const back = (amount: number): Command => {
    const entry = { ...repaying(wallet, amount), key: `back ${amount}` };
    return {
      do: 'post',
      entry: { ...entry, postings: move(amountOf(amount), REVENUE, besideAccount(wallet, 'receivable')) },
    };
  };
  expect(decide(draft, back(6))).toEqual({ ok: false, why: 'out_of_range' });
  expect(decide(draft, back(5))).toEqual({ ok: true, isRepeat: false });
  expect(balanceIn(draft, wallet)).toEqual({ posted: 0, held: 0, owed: 0, isFrozen: false });
});

test('[J3] an entry that makes or loses money, or leaves its book, is a fault', () => {
  const wallet = aWallet();
  const sound: Entry = {
    key: 'one',
    kind: 'charge',
    book: BOOK,
    vendorId: null,
    postings: move(amountOf(5), wallet, REVENUE),
    about: 'x',
    reason: null,
  };
  assertSound(sound);
  const [out, into] = sound.postings;
  if (out === undefined || into === undefined) throw new Error('a move has two postings');
  const many = Array.from({ length: 13 }, (_, index) => ({ account: aWallet(), amount: amountOf(index - 6) }));
  const line = { type: 'delivery', amount: amountOf(5), tax: amountOf(0) } as const;
  const unsound: readonly (readonly [RegExp, Entry])[] = [
    [/two to twelve/, { ...sound, postings: [out] }],
    [/two to twelve/, { ...sound, postings: many }],
    [/sum to zero/, { ...sound, postings: [out, { ...into, amount: amountOf(4) }] }],
    [/one book/, { ...sound, postings: [out, { ...into, account: platformAccount('revenue', bookOf(true, 'EUR')) }] }],
    [/allows its accounts/, { ...sound, postings: [out, { ...into, account: platformAccount('adjustment', BOOK) }] }],
    [/one posting/, { ...sound, postings: [out, out, into, into] }],
    [/moves an amount/, { ...sound, postings: [out, into, { ...into, amount: amountOf(0) }] }],
    [/what the vendor pays/, { ...sound, lines: [{ ...line, amount: amountOf(4) }] }],
    [/part of a line/, { ...sound, lines: [{ ...line, tax: amountOf(6) }] }],
    [/part of a line/, { ...sound, lines: [line, { ...line, amount: amountOf(0), tax: amountOf(-1) }] }],
  ];
  for (const [why, entry] of unsound) expect(() => assertSound(entry)).toThrow(why);
  assertSound({ ...sound, lines: [line] });
  assertSound({
    ...sound,
    postings: many.slice(0, 12).map((posting, at) => ({ ...posting, amount: amountOf(at < 6 ? 1 : -1) })),
  });
  // A refund has the lines of a charge, the other way round.
  const refund: Entry = { ...sound, kind: 'refund', postings: move(amountOf(5), REVENUE, wallet) };
  const back = (tax: number): Entry => ({ ...refund, lines: [{ ...line, amount: amountOf(-5), tax: amountOf(tax) }] });
  for (const tax of [0, -1, -5]) assertSound(back(tax));
  for (const tax of [1, -6]) expect(() => assertSound(back(tax))).toThrow(/part of a line/);
});

test('[J3] each kind of entry moves money between its own kinds of accounts', () => {
  expect(ENTRY_KIND_NAMES).toEqual(
    expect.arrayContaining(['charge', 'repayment', 'payout', 'payout_paid', 'payout_return', 'adjustment', 'top_up']),
  );
  const [wallet, courierId] = [aWallet(), newId('cou')];
  const ours = (kind: Parameters<typeof platformAccount>[0]) => platformAccount(kind, BOOK);
  const earnings = courierAccount('earnings', courierId, BOOK);
  const receivable = besideAccount(wallet, 'receivable');
  const moves: readonly (readonly [Entry['kind'], AccountId, AccountId])[] = [
    ['charge', receivable, ours('tax')],
    ['charge', ours('promotion'), ours('revenue')],
    ['charge', ours('delivery_cost'), earnings],
    ['platform_charge', ours('promotion'), ours('revenue')],
    ['platform_charge', ours('delivery_cost'), earnings],
    ['repayment', wallet, receivable],
    ['payout', earnings, ours('in_transit')],
    ['payout_paid', ours('in_transit'), ours('clearing')],
    ['payout_return', ours('in_transit'), earnings],
    ['payout_return', ours('clearing'), earnings],
    ['adjustment', ours('adjustment'), wallet],
    ['top_up', ours('clearing'), wallet],
    ['top_up_refund', wallet, ours('in_transit')],
    ['top_up_refund_paid', ours('in_transit'), ours('clearing')],
    ['top_up_refund_return', ours('in_transit'), wallet],
    ['top_up_refund_return', ours('clearing'), wallet],
    ['chargeback', receivable, ours('clearing')],
    ['chargeback_return', ours('clearing'), wallet],
    ['gateway_fee', ours('processing_cost'), ours('clearing')],
    ['suspense', ours('clearing'), ours('suspense')],
    ['suspense_credit', ours('suspense'), wallet],
    ['suspense_return', ours('suspense'), ours('clearing')],
    ['order_value', ours('clearing'), besideAccount(wallet, 'payable')],
    ['settlement', besideAccount(wallet, 'payable'), wallet],
    ['refund', ours('revenue'), wallet],
    ['refund', ours('tax'), wallet],
  ];
  const entry = { key: 'one', book: BOOK, vendorId: null, about: 'x', reason: null } as const;
  for (const [kind, from, to] of moves) assertSound({ ...entry, kind, postings: move(amountOf(5), from, to) });
});

test('[J363] a charge of the platform touches no account of a vendor and owes no tax', () => {
  const [wallet, revenue] = [aWallet(), platformAccount('revenue', BOOK)];
  const of = { key: 'one', kind: 'platform_charge', book: BOOK, vendorId: null, about: 'x', reason: null } as const;
  const others = [wallet, besideAccount(wallet, 'receivable'), platformAccount('tax', BOOK)];
  for (const other of others)
    expect(() => assertSound({ ...of, postings: move(amountOf(5), other, revenue) })).toThrow(/allows its accounts/);
});
