import { settleVendors } from '../../../../src/dispatch/billing/settle-vendors.ts';
import { newId, type VendorId } from '../../../../src/domain/ids.ts';
import type { Vendor } from '../../../../src/domain/vendors/vendor.ts';
import { oweOrderValue } from '../../../../src/money/charges/owe-order-value.ts';
import { bookOf, vendorAccount } from '../../../../src/money/ledger/accounts.ts';
import { openingAt, periodAfter } from '../../../../src/money/settlement/periods.ts';
import { createLedger } from '../../../../src/models/ledger/ledger-store.ts';
import { TOTALS } from '../../../../src/models/ledger/ledger-shapes.ts';
import type { Context } from '../../../../src/ports/context.ts';
import { aDelivery, aStop } from '../../../builders.ts';
import { aLine, chargeOf } from '../../../money/billing/charges.ts';
import type { House } from '../../house.ts';

export const DAY_MS = 86_400_000;
export const BOOK = bookOf(false, 'EUR');

/** Sells, seals and settles in a house. Each turn names its time. */
export function openSettling({ ctx, mongo }: House) {
  const period = periodAfter('UTC', { cycle: 'daily', cutOff: '00:00' }, openingAt(ctx.clock.now()));
  /** When the day in which the tests run is settled, and a later one. */
  const dueAt = (days = 0) => period.to + days * DAY_MS + ctx.settings.settlement.issueAfterMs;
  const seal = async (): Promise<void> => {
    while ((await ctx.ledger.seal(500)) > 0);
  };
  const turn = (now: number, over: Partial<Context> = {}) =>
    settleVendors({ ...ctx, ...over, clock: { ...ctx.clock, now: () => now } })(() => true);
  /** Books a delivery of which a service has collected this value, and what it was charged. */
  const sell = async (
    vendorId: VendorId,
    orderValue: number,
    fee = 450,
    { ledger }: Pick<Context, 'ledger'> = ctx,
  ): Promise<void> => {
    const id = newId('del');
    const dropOffs = [aStop(1, { state: 'delivered', orderValue })];
    const sold = aDelivery({ id, vendorId, dropOffs, orderValueCollectedBy: 'service' });
    const charge = { vendorId, book: BOOK, deliveryId: id, lines: [aLine('delivery', fee, 20)] };
    for (const command of [...(fee === 0 ? [] : [chargeOf(charge)]), ...oweOrderValue(sold)])
      await ledger.post(command, null);
  };
  /** A ledger whose clock stands still. */
  const ledgerAt = (now: number) => ({ ledger: createLedger(mongo, { ...ctx.clock, now: () => now }) });
  const list = async (vendorId: VendorId) =>
    (await ctx.settlements.list({ vendorId, liveMode: false }, { limit: 100, after: null })).items;
  /** The sum that the sealed entries of the ledger owe to the vendor. */
  const payable = async (vendorId: VendorId): Promise<number> => {
    const row = await mongo.collection(TOTALS).findOne({ _id: vendorAccount('payable', vendorId, BOOK) });
    return Number(row?.posted ?? 0);
  };
  const balance = async (vendorId: VendorId) =>
    (await ctx.ledger.balance(vendorAccount('wallet', vendorId, BOOK))).posted;
  const change = async (vendorId: VendorId, sets: Partial<Vendor>): Promise<void> => {
    const before = await ctx.vendors.get(vendorId);
    await ctx.vendors.replace({ ...before, ...sets, version: before.version + 1 }, before.version);
  };
  return { period, dueAt, seal, turn, sell, ledgerAt, list, payable, balance, change };
}
