import { expect } from 'vitest';
import { newId, type VendorId } from '../../src/domain/ids.ts';
import type { Route } from '../../src/http/policy.ts';
import { accountId } from '../../src/models/common-fields.ts';
import { BILLING_ACCOUNTS } from '../../src/models/billing/invoice-shapes.ts';
import { accountRowOf } from '../../src/models/ledger/settlement/settlement-rows.ts';
import { SETTLEMENT_ACCOUNTS } from '../../src/models/ledger/settlement/settlement-shapes.ts';
import { nextPeriod } from '../../src/money/billing/periods.ts';
import { reserveDisputed } from '../../src/money/disputes/book-dispute.ts';
import { bookPayout } from '../../src/money/payouts/book-payout.ts';
import { batchIdOf } from '../../src/money/payouts/payout.ts';
import { bookArrival } from '../../src/money/suspense/suspense.ts';
import { anEntry } from '../models/audit/an-entry.ts';
import { anInvoice } from '../money/billing/an-invoice.ts';
import { aDispute } from '../money/disputes/a-dispute.ts';
import { aBatch, aPayout } from '../money/payouts/a-payout.ts';
import { earn } from '../money/payouts/an-earning.ts';
import { aReconciliation } from '../money/reconcile/a-reconciliation.ts';
import { aSettlement, anAccount } from '../money/settlement/an-account.ts';
import { anAdjustment } from '../money/wallets/an-adjustment.ts';
import { aSuspense } from '../money/suspense/a-suspense.ts';
import { addRefund, aTopUpRefund } from '../money/top-ups/a-refund.ts';
import { aTopUp } from '../money/top-ups/a-top-up.ts';
import type { House } from './house.ts';

type Adder = () => Promise<unknown>;
/** A list, the caller who reads it, and what adds one row to it. */
export type Maker = {
  readonly path: string;
  readonly token: string;
  readonly add: Adder;
};
/** The lists of money that this file adds rows to. */
type MoneyList = Extract<
  Route,
  | 'GET /wallets/top-ups'
  | 'GET /wallets/suspense'
  | 'GET /wallets/refunds'
  | 'GET /wallets/adjustments'
  | 'GET /wallets/reconciliations'
  | 'GET /billing/invoices'
  | 'GET /settlement/vendors'
  | 'GET /vendor/settlement/payouts'
  | 'GET /vendor/disputes'
  | 'GET /disputes'
  | 'GET /payouts'
>;

/** Those that finance reads. The vendor reads the others. */
const FOR_FINANCE = / \/(disputes|payouts|wallets\/(suspense|refunds|adjustments|reconciliations))$/;
const MANY = 10_000;

/** The makers of the lists of money. */
export async function moneyMakers(
  house: House,
  { finance, vendor }: { readonly finance: string; readonly vendor: { readonly id: VendorId; readonly key: string } },
): Promise<Record<string, Maker>> {
  const makers = Object.entries(await moneyAdders(house, vendor.id)).map(([route, add]) => {
    const token = FOR_FINANCE.test(route) ? finance : vendor.key;
    return [route, { path: route.slice('GET '.length), token, add }] as const;
  });
  return Object.fromEntries(makers);
}

/** Functions that add the next row of this vendor to each list, in the order in which the server would. */
async function moneyAdders({ ctx, mongo }: House, vendorId: VendorId): Promise<Record<MoneyList, Adder>> {
  const now = (): number => ctx.clock.now();
  const settle = await settler({ ctx, mongo }, vendorId);
  const dispute = async (): Promise<void> => {
    const raised = aDispute({ vendorId, createdAt: now() });
    await ctx.disputes.add(raised, reserveDisputed(raised), anEntry(), {
      mostOpen: MANY,
      mostSince: MANY,
      since: now(),
    });
  };
  let days = 0;
  return {
    'GET /wallets/top-ups': () => ctx.topUps.add(aTopUp({ vendorId, createdAt: now() }), MANY),
    'GET /wallets/refunds': async () => {
      const refund = aTopUpRefund({ vendorId, createdAt: now() });
      await addRefund(ctx, refund);
    },
    'GET /wallets/suspense': () => {
      const arrived = aSuspense({ topUpId: newId('top'), createdAt: now() });
      return ctx.suspense.add(arrived, bookArrival(arrived));
    },
    'GET /wallets/adjustments': () => ctx.adjustments.add(anAdjustment({ createdAt: now() }), anEntry()),
    'GET /wallets/reconciliations': () => {
      days += 1;
      const date = new Date(Date.UTC(2020, 0, days)).toISOString().slice(0, 10);
      return ctx.reconciliations.put(aReconciliation({ id: `sandbox.test.${date}`, date, from: Date.parse(date) }));
    },
    'GET /billing/invoices': await invoicer({ ctx, mongo }, vendorId),
    'GET /settlement/vendors': settle,
    'GET /vendor/settlement/payouts': settle,
    'GET /vendor/disputes': dispute,
    'GET /disputes': dispute,
    'GET /payouts': payer({ ctx }),
  };
}

/** Makes a batch with one payout after the other. */
function payer({ ctx }: Pick<House, 'ctx'>): Adder {
  let batches = 0;
  return async () => {
    batches += 1;
    const id = batchIdOf(false, 'EUR', `2026-01-${String(batches)}`);
    const [batch, payout] = [aBatch({ id }), aPayout({ batchId: id, createdAt: ctx.clock.now() })];
    await earn(ctx, payout.courierId, { pay: payout.amount });
    await ctx.payouts.addBatch(batch, anEntry());
    expect(await ctx.payouts.makePage(batch, [{ payout, command: bookPayout(payout, 'reserve') }], null)).toBe(true);
  };
}

/** Settles one period of the vendor after the other. */
async function settler({ ctx, mongo }: Pick<House, 'ctx' | 'mongo'>, vendorId: VendorId): Promise<Adder> {
  let account = anAccount({ vendorId });
  await mongo.collection(SETTLEMENT_ACCOUNTS).insertOne(accountRowOf(account));
  return async () => {
    const { settlement, next } = aSettlement(account);
    await ctx.settlements.issue(next, settlement);
    account = next;
  };
}

/** Issues the invoice of one month of the vendor after the other. */
async function invoicer({ ctx, mongo }: Pick<House, 'ctx' | 'mongo'>, vendorId: VendorId): Promise<Adder> {
  const first = anInvoice({ vendorId });
  const wallet = { vendorId, liveMode: false, book: 'test.EUR' } as const;
  let account = { ...wallet, period: first.period, from: first.from, dueAt: first.from, failures: 0 };
  let { issuedAt } = first;
  await mongo.collection(BILLING_ACCOUNTS).insertOne({ _id: accountId(account), ...account });
  return async () => {
    const next = { ...account, period: nextPeriod(account.period) };
    await ctx.invoices.issue(account, next, [anInvoice({ vendorId, period: account.period, issuedAt })]);
    account = next;
    issuedAt += 1;
  };
}
