import { isDeepStrictEqual } from 'node:util';
import { refuseExpiredQuote, useClaim, type Quote, type SubsidizedQuote } from '../../domain/deliveries/quote.ts';
import { isId, type QuoteId, type SubsidyId, type VendorId } from '../../domain/ids.ts';
import type { AppliedSubsidy, Subsidy } from '../../domain/pricing/split.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import { addSubsidy, shareless } from './split-fee.ts';

type Needs = Pick<Context, 'claims' | 'clock' | 'quotes'>;

/** A discount that a vendor gives its customer on a quote that exists. */
export type SubsidizeQuote = {
  readonly quoteId: QuoteId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly terms: Subsidy;
};

/**
 * Applies a subsidy to a quote: the customer pays less and the vendor more, and the fee stays. A quote has one subsidy, so
 * the same content again changes nothing. Refuses `quote_not_found`, `subsidized_quote` for other content, `used_quote`
 * and `expired_quote`.
 * @param id the id of the subsidy, if it is new
 */
export async function subsidizeQuote(
  ctx: Needs,
  asked: SubsidizeQuote,
  id: SubsidyId,
): Promise<{ readonly quote: SubsidizedQuote; readonly isNew: boolean }> {
  const { quoteId, vendorId, liveMode, terms } = asked;
  const quote = await ctx.quotes.get(quoteId, vendorId, liveMode);
  const known = repeated(quote, terms);
  // A retry of the request that applied it has the same id.
  if (known !== null) return { quote: known, isNew: known.subsidy.id === id };
  const user = await ctx.claims.find(useClaim(quoteId));
  if (user !== null) throw used(user.holder);
  const now = ctx.clock.now();
  if (quote.expiresAt <= now) throw refuseExpiredQuote(quote);
  const before = quote.split ?? shareless(quote.fee);
  const split = addSubsidy(before, terms);
  const applied: AppliedSubsidy = { id, terms, amount: before.customer - split.customer, appliedAt: now };
  const next: SubsidizedQuote = { ...quote, split, subsidy: applied };
  const taken = await ctx.quotes.subsidize(next);
  if (taken === null) return { quote: next, isNew: true };
  // Another request was faster: the create that uses the quote, or a subsidy.
  if (isId('del', taken.holder)) throw used(taken.holder);
  const winner = repeated(await ctx.quotes.get(quoteId, vendorId, liveMode), terms);
  if (winner === null) throw new Refusal('busy');
  return { quote: winner, isNew: false };
}

/** The quote, if it has this subsidy already; null if it has none. Refuses `subsidized_quote` if it has another one. */
function repeated(quote: Quote, terms: Subsidy): SubsidizedQuote | null {
  const { split, subsidy } = quote;
  if (split !== undefined && subsidy !== undefined) {
    if (isDeepStrictEqual(subsidy.terms, terms)) return { ...quote, split, subsidy };
    throw new Refusal('subsidized_quote', { metadata: { subsidy_id: subsidy.id } });
  }
  const hasOwn = split?.discounts.some(({ type }) => type === 'subsidy') ?? false;
  if (hasOwn) throw new Refusal('subsidized_quote', { detail: REQUESTED_WITH, metadata: { subsidy_id: null } });
  return null;
}

const REQUESTED_WITH = 'The quote was requested with a `subsidy`. A quote has one subsidy at most.';

function used(deliveryId: string): Refusal {
  return new Refusal('used_quote', { metadata: { delivery_id: deliveryId } });
}
