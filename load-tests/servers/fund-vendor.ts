// Test money for the vendors of a run.
import type { VendorId } from '../../src/domain/ids.ts';
import type { Vendor } from '../../src/domain/vendors/vendor.ts';
import { openMongo } from '../../src/engines/mongo.ts';
import { createFinds } from '../../src/engines/together.ts';
import { createAuditLog } from '../../src/models/audit/audit-log.ts';
import { createLedger } from '../../src/models/ledger/ledger-store.ts';
import { createAdjustmentStore } from '../../src/models/ledger/wallets/adjustment-store.ts';
import { createRefuseLeftCurrency } from '../../src/models/vendors/refuse-left-currency.ts';
import { createVendorStore } from '../../src/models/vendors/vendor-store.ts';
import { amountOf } from '../../src/money/amount.ts';
import { adjustWallet } from '../../src/money/wallets/adjust-wallet.ts';
import type { Context } from '../../src/ports/context.ts';
import { openServiceClock } from '../../src/process/service-clock.ts';
import { QUIET } from '../quiet.ts';

/** Far more than a vendor spends in a run, minor units. The wallets of 100,000 vendors still sum to a safe integer. */
const FUNDS = amountOf(10_000_000_000);

/** Fills the wallet of a vendor for test mode, as staff would by hand. A vendor is filled once, however often it is asked. */
export async function fillWallet(
  ctx: Pick<Context, 'adjustments' | 'audit' | 'ledger'>,
  { id, currency }: Pick<Vendor, 'id' | 'currency'>,
): Promise<void> {
  const why = { reason: 'money for a load test', reference: 'load-test' };
  await adjustWallet(ctx, { vendorId: id, liveMode: false, currency, amount: FUNDS, ...why });
}

/** Fills the wallet of a vendor on the database of running servers. `scale` is that of their clocks. */
export async function fundVendor(mongoUrl: string, scale: number, id: string): Promise<void> {
  const mongo = await openMongo(mongoUrl, QUIET);
  try {
    const time = await openServiceClock(mongo, scale, QUIET, { observe: () => undefined });
    // One entry needs no clock that follows those of the servers.
    await time.stop();
    const { clock } = time;
    const adjustments = createAdjustmentStore(mongo, clock, createRefuseLeftCurrency(mongo));
    const ctx = { adjustments, audit: createAuditLog(mongo, clock), ledger: createLedger(mongo, clock) };
    await fillWallet(
      ctx,
      await createVendorStore(mongo, clock, createFinds(clock), async () => {}).get(id as VendorId),
    );
  } finally {
    await mongo.close();
  }
}
