import type { Quote } from '../domain/quote.ts';
import { Refusal } from '../domain/refusals.ts';
import type { QuoteStore } from '../ports.ts';
import type { Mongo } from './mongo.ts';

/** Quotes as they were promised; never changed. */
export function createQuoteStore(mongo: Mongo): QuoteStore {
  const rows = mongo.collection<Quote & { readonly _id: string }>('quotes');
  return {
    add: async (quote) => void (await rows.insertOne({ _id: quote.id, ...quote })),
    get: async (id, vendorId, liveMode) => {
      const quote = await rows.findOne<Quote>({ _id: id, vendorId, liveMode }, { projection: { _id: 0 } });
      if (quote === null) throw new Refusal('quote_not_found');
      return quote;
    },
  };
}
