import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import {
  besideAccount,
  bookOf,
  courierAccount,
  currencyOf,
  hasFloor,
  isLive,
  kindOfAccount,
  platformAccount,
  vendorAccount,
} from '../../../src/money/ledger/accounts.ts';
import { storedAt } from '../../../src/money/ledger/decide.ts';

const [vendorId, courierId] = [newId('ven'), newId('cou')];

test('[J11] each mode and currency has a book, and each account of an owner is in one of them', () => {
  const [live, play] = [bookOf(true, 'NGN'), bookOf(false, 'NGN')];
  expect([live, play]).toEqual(['live.NGN', 'test.NGN']);
  expect([isLive(live), isLive(play)]).toEqual([true, false]);
  expect([currencyOf(live), currencyOf(play)]).toEqual(['NGN', 'NGN']);
  expect(vendorAccount('wallet', vendorId, play)).toBe(`wallet:${vendorId}:test.NGN`);
  expect(courierAccount('earnings', courierId, live)).toBe(`earnings:${courierId}:live.NGN`);
  expect(platformAccount('revenue', live)).toBe('revenue::live.NGN');
});

test('[J18] the debt of a vendor is stored beside its wallet, and other accounts by themselves', () => {
  const wallet = vendorAccount('wallet', vendorId, 'test.EUR');
  const receivable = besideAccount(wallet, 'receivable');
  expect(receivable).toBe(`receivable:${vendorId}:test.EUR`);
  expect([kindOfAccount(wallet), kindOfAccount(receivable)]).toEqual(['wallet', 'receivable']);
  expect([storedAt(receivable), storedAt(wallet)]).toEqual([wallet, wallet]);
  const earnings = courierAccount('earnings', courierId, 'test.EUR');
  expect(storedAt(earnings)).toBe(earnings);
});

test('[J4] wallets and earnings never spend more than they have. Debts and the accounts of the platform may', () => {
  const book = bookOf(false, 'EUR');
  expect([vendorAccount('wallet', vendorId, book), courierAccount('earnings', courierId, book)].map(hasFloor)).toEqual([
    true,
    true,
  ]);
  const open = [
    vendorAccount('receivable', vendorId, book),
    ...(
      [
        'revenue',
        'tax',
        'promotion',
        'delivery_cost',
        'clearing',
        'suspense',
        'in_transit',
        'processing_cost',
        'adjustment',
      ] as const
    ).map((kind) => platformAccount(kind, book)),
  ];
  expect(open.filter(hasFloor)).toEqual([]);
});
