import type { Quote } from '../../domain/deliveries/quote.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { QuoteStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';

type QuoteRow = Quote & { readonly _id: string; readonly endsOn: Date };

const AS_QUOTE = { projection: { _id: 0, endsOn: 0 } } as const;

/** Quotes as they were promised; never changed. */
export function createQuoteStore(mongo: Mongo, clock: Clock, { retention }: Pick<Settings, 'retention'>): QuoteStore {
  const rows = mongo.collection<QuoteRow>('quotes');
  return {
    add: async (quote) =>
      void (await rows.insertOne({ _id: quote.id, ...quote, endsOn: endsOn(clock, retention.quotesMs) })),
    get: async (id, vendorId, liveMode) => {
      const quote = await rows.findOne<Quote>({ _id: id, vendorId, liveMode }, AS_QUOTE);
      if (quote === null) throw new Refusal('quote_not_found');
      return quote;
    },
  };
}
