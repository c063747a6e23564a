import { Refusal } from '../../domain/refusals/refusals.ts';
import type { QuoteStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';
import { createInserts } from '../../engines/together.ts';
import { QUOTES } from './quote-shape.ts';

/** Stores quotes as they were promised. They never change. */
export function createQuoteStore(mongo: Mongo, clock: Clock, { retention }: Pick<Settings, 'retention'>): QuoteStore {
  const rows = mongo.records(QUOTES);
  const insert = createInserts(clock, mongo.collection(QUOTES));
  const get: QuoteStore['get'] = async (id, vendorId, liveMode) => {
    const row = await rows.find({ _id: id, vendorId, liveMode });
    if (row === null) throw new Refusal('quote_not_found');
    const { _id, endsOn: _endsOn, ...quote } = row;
    return quote;
  };
  return {
    get,
    add: async (quote) => {
      const isNew = await insert({ _id: quote.id, ...quote, endsOn: endsOn(clock, retention.quotesMs) });
      // If it is not new, an earlier try of the same request has stored it.
      return isNew ? quote : get(quote.id, quote.vendorId, quote.liveMode);
    },
  };
}
