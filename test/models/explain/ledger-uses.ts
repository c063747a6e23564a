import { CLOCK } from '../../engines/mongo-house.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { aCapture, aCharge, aCredit, aHold, aWallet } from '../../money/ledger/commands.ts';
import { anEntry } from '../audit/an-entry.ts';
import type { Calls } from './calls.ts';

const LIMIT = 20;

/** Calls of every method of the ledger. */
export function ledgerCalls(ledger: Ledger): Calls<Ledger> {
  const wallet = aWallet();
  return {
    post: async () => {
      const [hold, other] = [newId('req'), newId('req')];
      const credit = aCredit(newId('req'), wallet, 100);
      await ledger.post(credit, anEntry());
      await ledger.post(credit, null);
      for (const key of [hold, other]) await ledger.post(aHold(key, wallet, 20), null);
      await ledger.post(aCapture(hold, newId('req'), wallet, 15), null);
      await ledger.post({ do: 'void', holdKey: other, account: wallet }, null);
      await ledger.post(aCharge(newId('req'), wallet, 1000), null);
    },
    balance: () => ledger.balance(wallet),
    seal: () => ledger.seal(LIMIT),
  };
}

type Row = { readonly _id: string | number; readonly [field: string]: unknown };

/** Makes one row of each collection of the ledger from its number. Few entries are due. */
export const LEDGER_ROWS: Record<string, (at: number) => Row> = {
  ledger_accounts: (at) => ({ _id: `wallet:ven_${at}:test.EUR`, posted: 0n, held: 0n, available: 0n, version: 1n }),
  ledger_entries: (at) => {
    const postings = [
      { account: 'adjustment::test.EUR', amount: -1n },
      { account: `wallet:ven_${at}:test.EUR`, amount: 1n, balance: 1n },
    ];
    const row = { _id: `fact:${at}`, id: newId('txn'), book: 'test.EUR', postings, at: CLOCK.now() };
    return at % 500 === 0 ? { ...row, due: true } : row;
  },
  ledger_holds: (at) => ({ _id: `hold:${at}`, account: `wallet:ven_${at}:test.EUR`, amount: 1n, state: 'voided' }),
  ledger_seals: (at) => ({ _id: at + 1, entryIds: [`fact:${at}`], hash: '' }),
  ledger_totals: (at) => ({ _id: `revenue::test.${at}`, posted: 1n }),
};
