import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { mustComeBack } from '../../domain/deliveries/stops/stop.ts';
import type { Funds } from '../../domain/pricing/funds.ts';
import type { Books } from '../../domain/deliveries/lifecycle.ts';
import { WHOLE_BP } from '../../domain/pricing/rules.ts';
import type { Settings } from '../../settings.ts';
import { amountOf, dividedHalfUp, type Amount } from '../amount.ts';
import { priceCourierPay } from '../courier-pay.ts';
import { withoutTax } from '../rates.ts';
import type { EntryLine } from '../ledger/entries.ts';
import { CANCEL_POLICY, cancelRuleOf } from './cancel-rules.ts';
import { isFreeStop, isVendorsCancel, isVendorsFailure } from './faults.ts';
import { waitOf } from './wait.ts';

/** The end of a delivery with money: the delivery before the verb that ends it and after, and what the charge follows. */
export type End = {
  readonly books: Exclude<Books, 'hold'>;
  readonly before: Delivery;
  readonly after: Delivery;
  readonly funds: Funds;
  /** Service time in ms. */
  readonly now: number;
  /** Whether the end opens a return of goods to the pickup. */
  readonly opensReturn: boolean;
  readonly terms: Settings['charges'];
};

/** What an end moves, minor units. */
export type EndCharge = {
  /** They sum to what the vendor pays. */
  readonly lines: readonly EntryLine[];
  /** The prices without the tax that the vendor pays, and this tax. */
  readonly revenue: Amount;
  readonly tax: Amount;
  /** What the platform pays of the prices. */
  readonly promotion: Amount;
  /** What the courier earns besides the tip, and the tip. */
  readonly pay: Amount;
  readonly tip: Amount;
};

/** A part of a whole. */
type Share = { readonly of: number; readonly per: number };
/** One price: what it is, what the vendor pays of it with which tax, and what the courier earns by it. */
type Piece = {
  readonly type: Exclude<EntryLine['type'], 'tip'>;
  readonly gross: Amount;
  readonly vendor: Amount;
  readonly tax: Amount;
  readonly pay: Amount;
};

/**
 * What the end of a delivery charges, and what its courier earns. Each line is rounded half up once. What the platform
 * pays is a discount, so it contains no tax.
 */
export function priceEnd(end: End): EndCharge {
  const pieces = piecesOf(end);
  const tip = amountOf(end.books === 'charge' ? (end.after.tip ?? 0) : 0);
  const lines = [
    ...pieces.map(({ type, vendor, tax }) => ({ type, amount: vendor, tax })),
    { type: 'tip', amount: tip, tax: amountOf(0) } as const,
  ];
  return {
    lines: lines.filter(({ amount }) => amount > 0),
    revenue: sumOf(pieces, ({ gross, tax }) => gross - tax),
    tax: sumOf(pieces, ({ tax }) => tax),
    promotion: sumOf(pieces, ({ gross, vendor }) => gross - vendor),
    pay: sumOf(pieces, ({ pay }) => pay),
    tip,
  };
}

function piecesOf(end: End): Piece[] {
  const { books, before, after, now, terms } = end;
  const parts = partsOf(after);
  switch (books) {
    case 'charge':
    case 'charge_failure':
      if (parts.of === 0) return [];
      return [
        feePiece('delivery', end, parts),
        waitPiece(end),
        ...returnPieces(end, after.dropOffs.filter(mustComeBack).some(isVendorsFailure)),
      ];
    case 'charge_cancel': {
      if (after.ending === null) return [];
      if (!isVendorsCancel(after.ending, before, now, terms.courierLateMs)) return deliveredPieces(end);
      const { shareBp, hasWait } = CANCEL_POLICY[cancelRuleOf(before, now, terms)];
      const share = { of: shareBp(terms) * parts.of, per: WHOLE_BP * parts.per };
      return [feePiece('cancellation', end, share), ...(hasWait ? [waitPiece(end)] : []), ...returnPieces(end, true)];
    }
  }
}

/** Each drop-off has an equal part of the fee. Those that failed through courier or platform cost nothing. */
function partsOf({ dropOffs }: Delivery): Share {
  return { of: dropOffs.filter((stop) => !isFreeStop(stop)).length, per: dropOffs.length };
}

/** The price of the drop-offs that were delivered before a cancel whose cause is not the vendor's. The rest is free. */
function deliveredPieces(end: End): Piece[] {
  const { dropOffs } = end.after;
  const of = dropOffs.filter(({ state }) => state === 'delivered').length;
  return of === 0 ? [] : [feePiece('delivery', end, { of, per: dropOffs.length })];
}

function feePiece(type: Piece['type'], { after, funds }: End, share: Share): Piece {
  const { fee, feeBreakdown } = after;
  const gross = portionOf(fee, share);
  const vendor = portionOf(fee - funds.shares.platform, share);
  // The whole fee contains the tax that its breakdown names.
  const named = amountOf(feeBreakdown.find((line) => line.type === 'tax')?.amount ?? 0);
  const tax = vendor === fee ? named : taxIn(vendor, funds);
  return { type, gross, vendor, tax, pay: priceCourierPay(gross, funds) };
}

function waitPiece({ after, funds, now, terms }: End): Piece {
  const gross = amountOf(waitOf(after, now, terms).minutes * terms.waitPerMinFee);
  return { type: 'wait', gross, vendor: gross, tax: taxIn(gross, funds), pay: priceCourierPay(gross, funds) };
}

function returnPieces(end: End, isVendors: boolean): Piece[] {
  const share = { of: end.terms.returnBp, per: WHOLE_BP };
  return end.opensReturn && isVendors ? [feePiece('return', end, share)] : [];
}

function portionOf(amount: number, { of, per }: Share): Amount {
  return dividedHalfUp(BigInt(amount) * BigInt(of), BigInt(per));
}

function taxIn(gross: Amount, { taxRateBp }: Funds): Amount {
  return amountOf(gross - withoutTax(gross, taxRateBp));
}

function sumOf(pieces: readonly Piece[], amount: (piece: Piece) => number): Amount {
  return amountOf(pieces.reduce((sum, piece) => sum + amount(piece), 0));
}
