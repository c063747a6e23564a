import { newId, type CourierId } from '../../../src/domain/ids.ts';
import type { EarningStore } from '../../../src/ports/money/earnings.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import { OUTGOING_STATES } from '../../../src/money/payouts/outgoing.ts';
import { batchIdOf } from '../../../src/money/payouts/payout.ts';
import type { Stores } from '../../../src/models/stores.ts';
import type { PayoutStore } from '../../../src/ports/money/payouts.ts';
import type { SandboxTransferStore } from '../../../src/ports/money/sandbox.ts';
import { aBankAccount, aBatch, aPayout } from '../../money/payouts/a-payout.ts';
import type { BankAccountStore } from '../../../src/ports/couriers.ts';
import { NOON } from '../../builders.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { anEntry } from '../audit/an-entry.ts';
import { EARNER } from './ledger-uses.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
type Row = { readonly _id: string; readonly [field: string]: unknown };

/** Calls of every method of the store. */
export function bankAccountCalls(bankAccounts: BankAccountStore, courierId: CourierId): Calls<BankAccountStore> {
  return {
    find: () => bankAccounts.find(courierId),
    findMany: () => bankAccounts.findMany([courierId, EARNER]),
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
    listAtLeast: async () => {
      const after = { courierId, book: 'test.EUR', amount: amountOf(1) } as const;
      for (const from of [null, after]) await earnings.listAtLeast({ liveMode: false, amount: 1, after: from }, LIMIT);
    },
  };
}

/** Calls of every method of the stores of payouts and of the sandbox’s transfers. */
export function payoutCalls(
  { payouts, sandboxTransfers }: Pick<Stores, 'payouts' | 'sandboxTransfers'>,
  courierId: CourierId,
): { readonly payouts: Calls<PayoutStore>; readonly sandboxTransfers: Calls<SandboxTransferStore> } {
  const [batch, payout] = [aBatch(), aPayout({ courierId })];
  const transfer = { reference: payout.id, amount: payout.amount, currency: 'EUR', mode: '00', createdAt: NOON };
  return {
    payouts: {
      addBatch: async () => {
        for (const _try of [1, 2]) await payouts.addBatch(batch, anEntry());
      },
      listOpenBatches: () => payouts.listOpenBatches(CLOCK.now(), LIMIT),
      putOff: () => payouts.putOff(batch, NOON),
      makePage: () => payouts.makePage(batch, [{ payout, command: bookPayout(payout, 'reserve') }], null),
      find: () => payouts.find(PAYEE.payoutId),
      replace: () => payouts.replace(aPayout({ id: PAYEE.payoutId, version: 2 }), null, anEntry()),
      listDue: async () => {
        for (const before of [NOON + 1_000_000_000, 1])
          await payouts.listDue({ gateway: 'sandbox', liveMode: false }, before, LIMIT);
      },
      listPaid: async () => {
        const span = { gateway: 'sandbox', liveMode: false, from: NOON, to: NOON + 1000 } as const;
        await turnPages((after) => payouts.listPaid(span, { limit: LIMIT, after }));
      },
      list: async () => {
        const subjects = [{}, { liveMode: true }, { courierId: PAYEE.courierId }, { batchId: PAYEE.batchId }];
        for (const subject of [...subjects, { courierId }])
          for (const state of [{}, { state: 'failed' as const }])
            await turnPages((after) => payouts.list({ ...subject, ...state }, { limit: LIMIT, after }));
      },
    },
    sandboxTransfers: {
      add: async () => {
        for (const _try of [1, 2]) await sandboxTransfers.add(transfer);
      },
      find: () => sandboxTransfers.find(transfer.reference),
      list: () => turnPages((after) => sandboxTransfers.list({ from: NOON, to: NOON + 100 }, { limit: LIMIT, after })),
    },
  };
}

/** A payout, a courier with many payouts and a batch with many. */
const PAYEE = { payoutId: newId('pay'), courierId: newId('cou'), batchId: batchIdOf(false, 'EUR', '2026-01-06') };

/** Makes one row of each collection from its number. */
export const PAYOUT_ROWS: Record<string, (at: number) => Row> = {
  payouts: (at) => {
    const of = {
      ...(at % 50 === 1 ? { courierId: PAYEE.courierId } : {}),
      ...(at % 3 === 0 ? { batchId: PAYEE.batchId } : {}),
    };
    const dueAt = at % 40 === 0 ? NOON + at : null;
    const { id, amount, ...rest } = aPayout({
      ...of,
      dueAt,
      liveMode: at % 5 === 0,
      state: OUTGOING_STATES[at % 8] ?? 'paid',
    });
    return { _id: at === 0 ? PAYEE.payoutId : id, amount: BigInt(amount), ...rest };
  },
  payout_batches: (at) => {
    const {
      id: _id,
      amount,
      failures: _none,
      ...rest
    } = aBatch({ state: at % 100 === 0 ? 'making' : 'made', createdAt: NOON + at });
    return { _id: `test.EUR.${at}`, amount: BigInt(amount), ...rest };
  },
  sandbox_transfers: (at) => ({
    _id: newId('pay'),
    amount: 1n,
    currency: 'EUR',
    mode: '00',
    createdAt: NOON + at,
    endsOn: new Date(NOON + 1e12),
  }),
  bank_accounts: (at: number) => {
    const courierId = newId('cou');
    const currency = at % 100 === 0 ? 'EUR' : 'NGN';
    return { _id: courierId, ...aBankAccount(courierId, { currency, liveMode: at % 5 === 0 }) };
  },
};
