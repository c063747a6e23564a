import { CLOCK } from '../../engines/mongo-house.ts';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { BILLED_KINDS, kindsOf, TRANSACTION_KINDS } from '../../../src/money/billing/transactions.ts';
import type { TransactionFilter, TransactionStore } from '../../../src/ports/money/billing.ts';
import type { Ledger, LedgerChecks } from '../../../src/ports/ledger.ts';
import { aCapture, aCharge, aCredit, aHold, aWallet } from '../../money/ledger/commands.ts';
import { anEntry } from '../audit/an-entry.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
/** A courier with many earnings. */
export const EARNER = newId('cou');

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
    find: () => ledger.find(['top_up:1', 'suspense:1']),
    listAbout: () => ledger.listAbout('del_7'),
    seal: () => ledger.seal(LIMIT),
  };
}

/** Calls of every method of the checks of the ledger. A check reads all rows on purpose, so it ends after its first piece. */
export function ledgerCheckCalls(checks: LedgerChecks): Calls<LedgerChecks> {
  return {
    run: () => checks.run(() => Promise.resolve(false)),
    findLast: () => checks.findLast(),
    put: () => checks.put({ checkedAt: CLOCK.now(), entries: 1, faultCount: 0 }),
  };
}

/** Calls of every method of the store of transactions, with and without a booked one. */
export function transactionCalls(transactions: TransactionStore, vendorId: VendorId): Calls<TransactionStore> {
  const payer = { vendorId, liveMode: false };
  const to = CLOCK.now() - 5_000_000;
  return {
    list: async () => {
      const filters: Partial<TransactionFilter>[] = [
        {},
        { from: to - 1_000_000, to },
        { kinds: kindsOf('credit'), direction: 'credit' },
        { kinds: kindsOf('debit'), direction: 'debit' },
        { about: 'del_1000' },
        { kinds: ['suspense_credit'], about: 'top_1000' },
      ];
      for (const filter of filters) {
        const whole = { ...payer, kinds: TRANSACTION_KINDS, ...filter };
        await turnPages((after) => transactions.list(whole, { limit: LIMIT, after }));
      }
    },
    find: async () => {
      const { items } = await transactions.list({ ...payer, kinds: TRANSACTION_KINDS }, { limit: 1, after: null });
      await transactions.find(items[0]?.id ?? newId('txn'));
    },
    chargedAt: () => transactions.chargedAt([newId('del'), newId('del')]),
    firstAt: () => transactions.firstAt(BILLED_KINDS, { ...payer, book: 'test.EUR' }),
  };
}

type Row = { readonly _id: string | number; readonly [field: string]: unknown };

/** Makes one row of each collection of the ledger from its number. Few entries are due. */
export const LEDGER_ROWS: Record<string, (at: number) => Row> = {
  ledger_accounts: (at) => ({ _id: `wallet:ven_${at}:test.EUR`, posted: 0n, held: 0n, available: 0n, version: 1n }),
  ledger_holds: (at) => ({ _id: `hold:${at}`, account: `wallet:ven_${at}:test.EUR`, amount: 1n, state: 'voided' }),
  ledger_seals: (at) => ({ _id: at + 1, entryIds: [`fact:${at}`], hash: '' }),
  ledger_totals: (at) => ({ _id: `revenue::test.${at}`, posted: 1n }),
};

/** An entry without its vendor. Few are due. The platform pays for most deliveries. */
export function entryRow(at: number): Row {
  const kind = at % 100 === 0 ? 'adjustment' : at % 10 === 0 ? 'charge' : 'platform_charge';
  const amount = kind === 'adjustment' ? 1n : -1n;
  const other =
    kind === 'platform_charge'
      ? { account: 'promotion::test.EUR', amount }
      : { account: `wallet:ven_${at}:test.EUR`, amount, balance: 1n };
  const postings = [{ account: 'revenue::test.EUR', amount: -amount }, other];
  const earner = at % 20 === 0 ? { courierId: EARNER } : {};
  const of = { liveMode: false, kind, about: `del_${at}`, ...earner };
  const row = { _id: `fact:${at}`, id: newId('txn'), ...of, book: 'test.EUR', postings, at: CLOCK.now() - at * 1000 };
  return at % 500 === 0 ? { ...row, due: true } : { ...row, link: at + 1 };
}
