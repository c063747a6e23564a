import type { DeliveryId, InvoiceId, VendorId } from '../../domain/ids.ts';
import type { Address } from '../../domain/deliveries/stops/stop.ts';
import type { Vendor } from '../../domain/vendors/vendor.ts';
import type { Settings } from '../../settings.ts';
import type { Amount } from '../amount.ts';
import type { EntryLine } from '../ledger/entries.ts';
import type { Period } from './periods.ts';

/** A line of a bill. Amounts are minor units and contain the tax. Those of a refund are below 0. */
export type BillLine = {
  /** The local date on which it was charged or refunded. */
  readonly date: string;
  readonly type: EntryLine['type'];
  /** Null if the line is the sum of a date. */
  readonly deliveryId: DeliveryId | null;
  /** The charges or refunds of which it is the sum. */
  readonly count: number;
  readonly amount: Amount;
  readonly tax: Amount;
};

/** The seller or the buyer, as they were when the bill was made. */
export type BillParty = { readonly name: string; readonly taxId: string | null; readonly address: readonly string[] };

/** The amounts of a bill. `paid` left the wallet, and `due` was added to what the vendor owes. */
export type BillSums = { readonly amount: Amount; readonly tax: Amount; readonly paid: Amount; readonly due: Amount };

/** A document about charges. It never changes. */
type Bill = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  /** When it was made, service time in ms. A receipt has the time of its last charge. */
  readonly issuedAt: number;
  /** The time zone of its dates. */
  readonly zone: string;
  readonly seller: BillParty;
  readonly buyer: BillParty;
  readonly lines: readonly BillLine[];
  readonly sums: BillSums;
};

/** The invoice that a credit note corrects. */
export type CreditedInvoice = { readonly id: InvoiceId; readonly number: string };

/**
 * An invoice has the charges of a month, and their refunds of the same month. A credit note has the refunds of a month
 * whose charges stand on one earlier invoice. The amounts of refunds are below 0. Its number has no gaps before it.
 */
export type Invoice = Bill & {
  readonly id: InvoiceId;
  readonly number: string;
  /** Null for an invoice. */
  readonly credits: CreditedInvoice | null;
  readonly period: Period;
  /** The span of the charges, service time in ms, half-open. */
  readonly from: number;
  readonly to: number;
  /** Of the printed document; null until it is printed. */
  readonly sha256: string | null;
};

/** The charges for one delivery. It is made whenever it is read, so it has no number. */
export type Receipt = Bill & { readonly deliveryId: DeliveryId };

/** The seller of all bills, by the settings. */
export function sellerOf({ sellerName, sellerAddress, sellerTaxId }: Settings['billing']): BillParty {
  const address = sellerAddress.split(';').map((line) => line.trim());
  return { name: sellerName, taxId: sellerTaxId || null, address: address.filter((line) => line !== '') };
}

/** The vendor as the buyer. */
export function buyerOf({ name, business }: Pick<Vendor, 'name' | 'business'>): BillParty {
  return { name: business.legalName ?? name, taxId: business.taxId, address: linesOf(business.address) };
}

function linesOf(address: Address | null): string[] {
  if (address === null) return [];
  if (typeof address === 'string') return [address];
  const { street, street2, postal_code: code, city, state, country } = address;
  const place = [code, city].filter((part) => part !== undefined).join(' ');
  return [street, street2, place, state, country].filter((line) => line !== undefined);
}

/** Says whether a line gives money back. */
export function isRefundLine({ amount }: Pick<BillLine, 'amount'>): boolean {
  return amount < 0;
}

/** The words of a bill for a line. */
export function wordsOf(line: BillLine): string {
  return isRefundLine(line) ? `Refund: ${LINE_WORDS[line.type]}` : LINE_WORDS[line.type];
}

const LINE_WORDS: Readonly<Record<EntryLine['type'], string>> = {
  delivery: 'Delivery',
  tip: 'Tip',
  wait: 'Waiting time',
  return: 'Return of goods',
  cancellation: 'Cancellation',
};
