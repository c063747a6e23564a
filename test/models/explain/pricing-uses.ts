import { shareless } from '../../../src/money/prices/split-fee.ts';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import type { Stores } from '../../../src/models/stores.ts';
import { aQuote } from '../../builders.ts';
import { anEntry } from '../audit/an-entry.ts';
import type { Calls } from './calls.ts';

type Priced = Pick<Stores, 'quotes' | 'ruleBooks'>;

/** Calls of every method of the stores of quotes and pricing rules. */
export function pricingCalls(
  { quotes, ruleBooks }: Priced,
  vendorId: VendorId,
  now: number,
): { readonly [Name in keyof Priced]: Calls<Priced[Name]> } {
  return {
    quotes: {
      add: () => quotes.add(aQuote()),
      get: () => quotes.get(newId('qte'), vendorId, true),
      subsidize: async () => {
        const subsidy = { id: newId('sub'), terms: { type: 'free' }, amount: 1, appliedAt: 0 } as const;
        const quote = { ...aQuote(), split: shareless(1), subsidy };
        for (const _try of [1, 2]) await quotes.subsidize(quote);
      },
    },
    ruleBooks: {
      find: () => ruleBooks.find(vendorId),
      replace: async () => {
        const book = { id: newId('ven'), rules: [], version: 1, updatedAt: now };
        for (const version of [0, 1]) await ruleBooks.replace(book, version, anEntry());
      },
    },
  };
}
