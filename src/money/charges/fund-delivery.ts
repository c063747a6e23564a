import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { Funds } from '../../domain/pricing/funds.ts';
import type { Split } from '../../domain/pricing/split.ts';
import type { Settings } from '../../settings.ts';
import { amountOf } from '../amount.ts';
import { bookOf, vendorAccount, type AccountId } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';

type Funded = Pick<Delivery, 'id' | 'vendorId' | 'liveMode' | 'currency'>;

/**
 * The money of a delivery at its birth.
 * @param split the shares of the fee; null if the quote names none, then the customer pays all of it
 */
export function fundsAtBirth(
  { id, fee, tip = 0 }: Pick<Delivery, 'id' | 'fee' | 'tip'>,
  split: Split | null,
  { taxRateBp, courierShareBp }: Settings['pay'],
): Funds {
  const { customer, vendor, platform } = split ?? { customer: fee, vendor: 0, platform: 0 };
  const hold = amountOf(fee - platform + tip);
  return { shares: { customer, vendor, platform }, taxRateBp, courierShareBp, hold, holdKey: `delivery:${id}` };
}

/** The wallet that pays for a delivery. */
export function walletOf({ vendorId, liveMode, currency }: Omit<Funded, 'id'>): AccountId {
  return vendorAccount('wallet', vendorId, bookOf(liveMode, currency));
}

/** The commands that reserve the money of a delivery: none if nothing must be held. */
export function holdFor(delivery: Funded, { hold, holdKey }: Funds): Command[] {
  if (hold === 0) return [];
  const account = walletOf(delivery);
  return [{ do: 'hold', hold: { key: holdKey, account, amount: amountOf(hold), about: delivery.id } }];
}

/** What a delivery reserves after a change beyond what it reserved before, minor units. */
export function addedHold(before: Pick<Delivery, 'funds'> | null, after: Pick<Delivery, 'funds'>): number {
  return (after.funds?.hold ?? 0) - (before?.funds?.hold ?? 0);
}

/** The commands that give back what is reserved for a delivery. */
export function voidFor(delivery: Funded, { hold, holdKey }: Funds): Command[] {
  return hold === 0 ? [] : [{ do: 'void', holdKey, account: walletOf(delivery) }];
}

/**
 * The money of a delivery whose tip rises, and the commands that reserve the larger amount in place of the smaller one.
 * A tip only rises, so each one names one hold. Null if the delivery is free or already has this tip.
 */
export function raiseTip(
  delivery: Delivery,
  tip: number,
): { readonly funds: Funds; readonly commands: Command[] } | null {
  const { funds, fee, id } = delivery;
  if (funds === undefined || tip === (delivery.tip ?? 0)) return null;
  const hold = amountOf(fee - funds.shares.platform + tip);
  const raised: Funds = { ...funds, hold, holdKey: `delivery:${id}:tip:${tip}` };
  return { funds: raised, commands: [...voidFor(delivery, funds), ...holdFor(delivery, raised)] };
}
