import { expect, test } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import { balanceIn, decide, type Command, type Draft } from '../../../src/money/ledger/decide.ts';
import { assertSound, move, type Entry } from '../../../src/money/ledger/entries.ts';
import { bookOf, platformAccount } from '../../../src/money/ledger/accounts.ts';
import { aCapture, aCharge, aCredit, aHold, aWallet, BOOK, REVENUE } from './commands.ts';
import { provePure } from './prove-pure.ts';

const emptyDraft = (): Draft => ({ balances: new Map(), holds: new Map(), booked: [] });

test('[J8] after random commands on the pure ledger, balances and answers are those of a plain model', () => {
  expect(provePure(3000, Date.now() % 1_000_000_000)).toBeGreaterThanOrEqual(3000);
});

test('[J4] a refused command leaves the draft as it was', () => {
  const [draft, wallet] = [emptyDraft(), aWallet()];
  decide(draft, aCredit('in', wallet, 100));
  decide(draft, aHold('held', wallet, 60));
  const before = structuredClone(draft);
  const refused: Command[] = [
    aCharge('out', wallet, 41),
    aHold('more', wallet, 41),
    aCapture('held', 'too much', wallet, 61),
    aCapture('none', 'no hold', wallet, 1),
    aCapture('held', 'other wallet', aWallet(), 1),
    { do: 'void', holdKey: 'none', account: wallet },
    { do: 'void', holdKey: 'held', account: aWallet() },
    aCredit('huge', wallet, Number.MAX_SAFE_INTEGER),
  ];
  for (const command of refused) expect(decide(draft, command).ok).toBe(false);
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
  const unsound: readonly Entry[] = [
    { ...sound, postings: [out] },
    { ...sound, postings: [out, { ...into, amount: amountOf(4) }] },
    { ...sound, postings: [out, { ...into, account: platformAccount('revenue', bookOf(true, 'EUR')) }] },
    { ...sound, postings: [out, { ...into, account: platformAccount('adjustment', BOOK) }] },
    { ...sound, postings: [out, out, into, into] },
    { ...sound, postings: [out, into, { account: platformAccount('revenue', BOOK), amount: amountOf(0) }] },
    { ...sound, lines: [{ type: 'delivery', amount: amountOf(4), tax: amountOf(0) }] },
    { ...sound, lines: [{ type: 'delivery', amount: amountOf(5), tax: amountOf(6) }] },
  ];
  for (const entry of unsound) expect(() => assertSound(entry)).toThrow();
});
