import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { bookOf, vendorAccount } from '../../../src/money/ledger/accounts.ts';
import { bookArrival, SUSPENSE_STATES } from '../../../src/money/suspense/suspense.ts';
import type { Stores } from '../../../src/models/stores.ts';
import { bookRefund } from '../../../src/money/top-ups/book-refund.ts';
import { TOP_UP_REFUND_STATES } from '../../../src/money/top-ups/top-up-refund.ts';
import { NOON } from '../../builders.ts';
import { aReconciliation } from '../../money/reconcile/a-reconciliation.ts';
import { anAdjustment } from '../../money/wallets/an-adjustment.ts';
import { aSuspense } from '../../money/suspense/a-suspense.ts';
import { anEntry } from '../audit/an-entry.ts';
import { aTopUpRefund } from '../../money/top-ups/a-refund.ts';
import { aSandboxPayment, aTopUp } from '../../money/top-ups/a-top-up.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
const MOST = 50;
type Paying = Pick<Stores, 'topUps' | 'topUpRefunds' | 'suspense' | 'adjustments' | 'reconciliations' | 'sandbox'>;

/** Calls of every method of the stores of top-ups and of the sandbox gateway. */
export function topUpCalls(
  { topUps, topUpRefunds, suspense, adjustments, reconciliations, sandbox }: Paying,
  vendorId: VendorId,
): { readonly [Name in keyof Paying]: Calls<Paying[Name]> } {
  const topUp = aTopUp({ vendorId });
  const [payment, money] = [aSandboxPayment(), aSuspense()];
  const adjustment = anAdjustment({ vendorId });
  const wallet = vendorAccount('wallet', vendorId, bookOf(true, 'EUR'));
  const freeze = { do: 'freeze', account: wallet, isFrozen: true } as const;
  const { reference } = payment;
  const made = { url: 'https://pay.example/1', gatewayId: '1', expiresAt: NOON };
  return {
    topUps: {
      add: async () => {
        for (const _try of [1, 2]) await topUps.add(topUp, MOST);
      },
      find: () => topUps.find(topUp.id),
      list: async () => {
        for (const owner of [{}, { liveMode: true }, { vendorId }, { vendorId: PAYER, liveMode: false }])
          for (const state of [{}, { state: 'pending' as const }])
            await turnPages((after) => topUps.list({ ...owner, ...state }, { limit: LIMIT, after }));
      },
      listPaid: async () => {
        const span = { gateway: 'sandbox', liveMode: false, from: NOON, to: NOON + 1 } as const;
        await turnPages((after) => topUps.listPaid(span, { limit: LIMIT, after }));
      },
      paymentIdsOf: () => topUps.paymentIdsOf([topUp.id, newId('top')]),
      open: () => topUps.open(topUp.id, made),
      report: () => topUps.report(topUp.id, 'sandbox', true),
      reportLater: () => topUps.reportLater(topUp.id, 'sandbox'),
      noteChargebacks: () => topUps.noteChargebacks(topUp.id, [], null),
      claimDue: () => topUps.claimDue({ gateway: 'sandbox', liveMode: false }, LIMIT),
      markPaid: () => topUps.markPaid(topUp.id, true),
      sumPaid: () => topUps.sumPaid(vendorId, false, 'EUR'),
      end: async () => {
        for (const isFinal of [false, true])
          await topUps.end(topUp.id, { state: 'expired', reason: 'not_paid', isFinal });
        const differing = aSuspense();
        const arrived = { command: bookArrival(differing), suspense: differing };
        await topUps.end(topUp.id, { state: 'failed', reason: 'mismatch', isFinal: true, arrived });
      },
    },
    topUpRefunds: {
      add: async () => {
        const refund = aTopUpRefund({ topUpId: topUp.id, vendorId });
        const births = { command: bookRefund(refund, 'reserve'), entry: anEntry() };
        for (const born of [births, null]) await topUpRefunds.add(topUp, () => ({ refund, births: born }));
      },
      find: () => topUpRefunds.find(REFUNDED.refundId),
      replace: () => topUpRefunds.replace(aTopUpRefund({ id: REFUNDED.refundId, version: 2 }), null, anEntry()),
      resolve: () =>
        topUpRefunds.resolve(aTopUpRefund({ id: REFUNDED.refundId, version: 3, state: 'failed' }), null, anEntry()),
      listDue: async () => {
        for (const before of [NOON + 86_400_000, 1])
          await topUpRefunds.listDue({ gateway: 'sandbox', liveMode: false }, before, LIMIT);
      },
      list: async () => {
        for (const filter of [{}, { liveMode: true }, { topUpId: REFUNDED.topUpId }, { state: 'failed' as const }])
          await turnPages((after) => topUpRefunds.list(filter, { limit: LIMIT, after }));
      },
    },
    suspense: {
      add: async () => {
        for (const one of [money, { ...money, id: newId('sus') }]) await suspense.add(one, bookArrival(one));
      },
      find: () => suspense.find(money.id),
      replace: () => suspense.replace({ ...money, version: 2 }, null, null),
      listDue: async () => {
        for (const before of [NOON + 86_400_000, 1]) await suspense.listDue(before, LIMIT);
      },
      list: async () => {
        for (const filter of [{}, { liveMode: true }, { state: 'open' as const }])
          await turnPages((after) => suspense.list(filter, { limit: LIMIT, after }));
      },
    },
    adjustments: {
      add: async () => {
        for (const _try of [1, 2]) await adjustments.add(adjustment, anEntry());
      },
      find: () => adjustments.find(adjustment.id),
      replace: () => adjustments.replace({ ...adjustment, version: 2 }, null, anEntry()),
      post: () => adjustments.post(adjustment, freeze, anEntry()),
      list: async () => {
        for (const filter of [{}, { liveMode: true }, { state: 'booked' as const }, { vendorId }])
          await turnPages((after) => adjustments.list(filter, { limit: LIMIT, after }));
      },
    },
    reconciliations: {
      find: () => reconciliations.find(aReconciliation().id),
      put: async () => {
        for (const runs of [1, 2]) await reconciliations.put(aReconciliation({ runs }));
      },
      list: async () => {
        for (const filter of [{}, { isClean: false }])
          await turnPages((after) => reconciliations.list(filter, { limit: LIMIT, after }));
      },
    },
    sandbox: {
      add: async () => {
        for (const _try of [1, 2]) await sandbox.add(payment);
      },
      find: () => sandbox.find(reference),
      listPaid: () =>
        turnPages((after) => sandbox.listPaid({ from: NOON, to: NOON + 86_400_000 }, { limit: LIMIT, after })),
      resolve: async () => {
        const paid = { amount: amountOf(1000), currency: 'EUR' };
        await sandbox.resolve(reference, { status: 'paid', paid, resolvedAt: NOON }, { count: 2, dueAt: NOON });
      },
      claimNotices: () => sandbox.claimNotices(LIMIT),
      recordNotice: async () => {
        await sandbox.recordNotice({ ...payment, notices: 2 }, NOON);
        await sandbox.recordNotice({ ...payment, notices: 1 }, null);
      },
    },
  };
}

/** A refund, and a top-up with many. */
const REFUNDED = { refundId: newId('tur'), topUpId: newId('top') };
/** A vendor with many top-ups. */
const PAYER = newId('ven');
type Row = { readonly _id: string; readonly [field: string]: unknown };

/** Makes one row of each collection from its number. Few are due. */
export const TOP_UP_ROWS: Record<string, (at: number) => Row> = {
  top_ups: (at) => {
    const own = at % 200 === 1 ? { vendorId: PAYER } : {};
    const { id, amount, ...rest } = aTopUp({ ...own, state: at % 100 === 0 ? 'pending' : 'succeeded' });
    const row = { _id: id, amount: BigInt(amount), ...rest, looks: 0 };
    return at % 50 === 0 ? { ...row, dueAt: NOON + at } : row;
  },
  top_up_refunds: (at) => {
    const { id, amount, ...rest } = aTopUpRefund({
      ...(at % 200 === 1 ? { topUpId: REFUNDED.topUpId } : {}),
      state: TOP_UP_REFUND_STATES[at % 6] ?? 'paid',
      liveMode: at % 5 === 0,
      dueAt: at % 50 === 0 ? NOON + at : null,
    });
    return { _id: at === 0 ? REFUNDED.refundId : id, amount: BigInt(amount), ...rest };
  },
  suspense: (at) => {
    const state = SUSPENSE_STATES[at % 50 === 0 ? 0 : 2] ?? 'open';
    const { id, amount, ...rest } = aSuspense({
      state,
      liveMode: at % 5 === 0,
      dueAt: at % 50 === 0 ? NOON + at : null,
    });
    return { _id: id, amount: BigInt(amount), ...rest };
  },
  reconciliations: (at) => {
    const { id: _id, unmatched: _unmatched, ...rest } = aReconciliation({ from: NOON + at });
    return { _id: `sandbox.test.${at}`, ...rest, isClean: at % 100 !== 0, unmatched: [] };
  },
  sandbox_payments: (at) => {
    const { reference, amount, ...rest } = aSandboxPayment();
    const row = { _id: reference, amount: BigInt(amount), ...rest, tries: 0, endsOn: new Date(NOON * 2) };
    return at % 50 === 0 ? { ...row, noticeAt: NOON + at } : row;
  },
};
