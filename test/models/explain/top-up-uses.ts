import type { VendorId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Stores } from '../../../src/models/stores.ts';
import { NOON } from '../../builders.ts';
import { aSandboxPayment, aTopUp } from '../../money/top-ups/a-top-up.ts';
import type { Calls } from './calls.ts';

const LIMIT = 20;
const MOST = 50;
type Paying = Pick<Stores, 'topUps' | 'sandbox'>;

/** Calls of every method of the stores of top-ups and of the sandbox gateway. */
export function topUpCalls(
  { topUps, sandbox }: Paying,
  vendorId: VendorId,
): { readonly [Name in keyof Paying]: Calls<Paying[Name]> } {
  const topUp = aTopUp({ vendorId });
  const payment = aSandboxPayment();
  const { reference } = payment;
  const made = { url: 'https://pay.example/1', gatewayId: '1', expiresAt: NOON };
  return {
    topUps: {
      add: async () => {
        for (const _try of [1, 2]) await topUps.add(topUp, MOST);
      },
      find: () => topUps.find(topUp.id),
      open: () => topUps.open(topUp.id, made),
      report: () => topUps.report(topUp.id, 'sandbox', true),
      claimDue: () => topUps.claimDue(LIMIT),
      markPaid: () => topUps.markPaid(topUp.id, true),
      sumPaid: () => topUps.sumPaid(vendorId, false),
      end: async () => {
        for (const isFinal of [false, true])
          await topUps.end(topUp.id, { state: 'expired', reason: 'not_paid', isFinal });
      },
    },
    sandbox: {
      add: async () => {
        for (const _try of [1, 2]) await sandbox.add(payment);
      },
      find: () => sandbox.find(reference),
      resolve: async () => {
        const paid = { amount: amountOf(1000), currency: 'EUR' };
        await sandbox.resolve(reference, { status: 'paid', paid }, { count: 2, dueAt: NOON });
      },
      claimNotices: () => sandbox.claimNotices(LIMIT),
      recordNotice: async () => {
        for (const _notice of [1, 2]) await sandbox.recordNotice(reference);
      },
    },
  };
}

type Row = { readonly _id: string; readonly [field: string]: unknown };

/** Makes one row of each collection from its number. Few are due. */
export const TOP_UP_ROWS: Record<string, (at: number) => Row> = {
  top_ups: (at) => {
    const { id, amount, ...rest } = aTopUp({ state: at % 100 === 0 ? 'pending' : 'succeeded' });
    const row = { _id: id, amount: BigInt(amount), ...rest, looks: 0 };
    return at % 50 === 0 ? { ...row, dueAt: NOON + at } : row;
  },
  sandbox_payments: (at) => {
    const { reference, amount, ...rest } = aSandboxPayment();
    const row = { _id: reference, amount: BigInt(amount), ...rest, notices: 0, tries: 0, endsOn: new Date(NOON * 2) };
    return at % 50 === 0 ? { ...row, noticeAt: NOON + at } : row;
  },
};
