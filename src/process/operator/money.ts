import { exponentOf } from '../../domain/currency-digits.ts';
import { isId, type CourierId, type VendorId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { verifyLedger } from '../../models/ledger/verify-ledger.ts';
import { amountOf, type Amount } from '../../money/amount.ts';
import { readAmount, writeAmount } from '../../money/currencies.ts';
import { availableOf, type Balance } from '../../money/ledger/decide.ts';
import { adjustEarnings as adjustOfCourier } from '../../money/wallets/adjust-earnings.ts';
import { adjustWallet as adjust } from '../../money/wallets/adjust-wallet.ts';
import { freezeWallet as freeze } from '../../money/wallets/freeze-wallet.ts';
import { UsageError } from '../command-line.ts';
import { given, readOptions, type Deed } from './command.ts';

/** Visible ASCII without the colon, which separates the parts of a key. */
const REFERENCE = /^[!-9;-~]{1,64}$/;
const MOST_REASON = 200;

/** Books an adjustment into the wallet of a vendor, or out of it. It is of live mode with `--live`. */
export function adjustWallet(args: readonly string[]): Deed {
  const { liveMode, options } = readWallet(args, ['vendor', 'amount', 'reason', 'reference']);
  const vendorId = vendorIn(options.vendor);
  const [text, reason, reference] = [
    given(options.amount, '--amount'),
    reasonIn(options.reason),
    referenceIn(options.reference),
  ];
  return async ({ parts: core }) => {
    const { currency } = await core.vendors.get(vendorId);
    const amount = amountIn(text, currency);
    const balance = await adjust(core, { vendorId, liveMode, currency, amount, reason, reference });
    return { vendor_id: vendorId, live_mode: liveMode, currency, ...shown(balance) };
  };
}

/** Books an adjustment into the earnings of a courier, or out of them. It is of the mode of the courier. */
export function adjustEarnings(args: readonly string[]): Deed {
  const options = readOptions(args, ['courier', 'currency', 'amount', 'reason', 'reference']);
  const courierId = courierIn(options.courier);
  const currency = given(options.currency, '--currency');
  if (!Intl.supportedValuesOf('currency').includes(currency))
    throw new UsageError('--currency must be a currency of ISO 4217, such as EUR.');
  const amount = amountIn(given(options.amount, '--amount'), currency);
  const [reason, reference] = [reasonIn(options.reason), referenceIn(options.reference)];
  return async ({ parts: core }) => {
    const balance = await adjustOfCourier(core, { courierId, currency, amount, reason, reference });
    return { courier_id: courierId, currency, available: availableOf(balance) };
  };
}

/** Freezes the wallet of a vendor. It is of live mode with `--live`. */
export function freezeWallet(args: readonly string[]): Deed {
  return setFrozen(args, true);
}

/** Lets a frozen wallet of a vendor accept holds again. It is of live mode with `--live`. */
export function unfreezeWallet(args: readonly string[]): Deed {
  return setFrozen(args, false);
}

function setFrozen(args: readonly string[], isFrozen: boolean): Deed {
  const { liveMode, options } = readWallet(args, ['vendor', 'reason']);
  const vendorId = vendorIn(options.vendor);
  const reason = reasonIn(options.reason);
  return async ({ parts: core }) => {
    const { currency } = await core.vendors.get(vendorId);
    const balance = await freeze(core, { vendorId, liveMode, currency, isFrozen, reason });
    return { vendor_id: vendorId, live_mode: liveMode, currency, ...shown(balance) };
  };
}

function readWallet<Name extends string>(args: readonly string[], names: readonly Name[]) {
  const liveMode = args.includes('--live');
  const options = readOptions(
    args.filter((arg) => arg !== '--live'),
    names,
  );
  return { liveMode, options };
}

function vendorIn(option: string | undefined): VendorId {
  const vendorId = given(option, '--vendor');
  if (!isId('ven', vendorId)) throw new UsageError('--vendor must be an id that starts with ven_.');
  return vendorId;
}

function courierIn(option: string | undefined): CourierId {
  const courierId = given(option, '--courier');
  if (!isId('cou', courierId)) throw new UsageError('--courier must be an id that starts with cou_.');
  return courierId;
}

function amountIn(text: string, currency: string): Amount {
  const amount = readAmount(text, currency);
  if (amount !== null) return amount;
  throw new UsageError(
    `--amount must be an amount other than zero in ${currency} with exactly ${exponentOf(currency)} decimals, for example ${writeAmount(EXAMPLE, currency)}. A negative one is written as --amount=-… and the most is 10^12 minor units.`,
  );
}

function referenceIn(option: string | undefined): string {
  const reference = given(option, '--reference');
  if (!REFERENCE.test(reference))
    throw new UsageError('--reference must be 1 to 64 visible ASCII characters without a colon.');
  return reference;
}

function reasonIn(option: string | undefined): string {
  const reason = given(option, '--reason');
  if (reason.length > MOST_REASON) throw new UsageError(`--reason must have at most ${MOST_REASON} characters.`);
  return reason;
}

function shown(balance: Balance) {
  const { held, owed, isFrozen } = balance;
  return { available: Math.max(0, availableOf(balance)), held, owed, frozen: isFrozen };
}

const EXAMPLE = amountOf(12_500);

/** Checks the whole ledger and shows its progress. */
export function checkLedger(args: readonly string[]): (mongo: Mongo) => Promise<object> {
  readOptions(args, []);
  const report = (entries: number): void => void process.stderr.write(`${entries} entries checked\n`);
  return async (mongo) => {
    const { faultCount, faults, ...check } = await verifyLedger(mongo, report);
    return { ...check, fault_count: faultCount, faults };
  };
}
