import { newId, type CourierId } from '../../../src/domain/ids.ts';
import type { BankAccount } from '../../../src/domain/couriers/bank-account.ts';
import type { EarningStore } from '../../../src/ports/money/earnings.ts';
import type { BankAccountStore } from '../../../src/ports/couriers.ts';
import { NOON } from '../../builders.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { anEntry } from '../audit/an-entry.ts';
import { EARNER } from './ledger-uses.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;

function aBankAccount(courierId: CourierId, over: Partial<BankAccount> = {}): BankAccount {
  const of = { courierId, liveMode: false, currency: 'EUR', country: 'DE', form: 'iban', last4: '6199' } as const;
  return { ...of, sealedDetails: '', usableAt: NOON, updatedAt: NOON, version: 1, ...over };
}

/** Calls of every method of the store. */
export function bankAccountCalls(bankAccounts: BankAccountStore, courierId: CourierId): Calls<BankAccountStore> {
  return {
    find: () => bankAccounts.find(courierId),
    put: async () => {
      for (const version of [1, 2]) await bankAccounts.put(aBankAccount(courierId, { version }), anEntry());
    },
    list: async () => {
      for (const after of [null, newId('cou')])
        await bankAccounts.list({ liveMode: false, currency: 'EUR', after }, LIMIT);
    },
  };
}

/** Calls of every method of the store. */
export function earningCalls(earnings: EarningStore, courierId: CourierId): Calls<EarningStore> {
  const to = CLOCK.now() - 5_000_000;
  return {
    list: async () => {
      for (const id of [courierId, EARNER])
        for (const span of [null, { from: to - 1_000_000, to }])
          await turnPages((after) => earnings.list(id, span, { limit: LIMIT, after }));
    },
    balances: async () => {
      for (const id of [courierId, EARNER]) await earnings.balances(id);
    },
  };
}

/** Makes one row of each collection from its number. */
export const PAYOUT_ROWS = {
  bank_accounts: (at: number) => {
    const courierId = newId('cou');
    const currency = at % 100 === 0 ? 'EUR' : 'NGN';
    return { _id: courierId, ...aBankAccount(courierId, { currency, liveMode: at % 5 === 0 }) };
  },
};
