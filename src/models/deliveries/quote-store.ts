import { subsidyClaim } from '../../domain/deliveries/quote.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { QuoteStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';
import { createInserts } from '../../engines/together.ts';
import { transact } from '../../engines/transact.ts';
import { CLAIMS } from '../claim-shape.ts';
import { claimRow, findClaims } from '../claim-store.ts';
import { QUOTES } from './quote-shape.ts';

/** Stores quotes as they were promised. Only their shares change, once, if the vendor adds a subsidy. */
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
    subsidize: async ({ id, split, subsidy }) => {
      const fact = subsidyClaim(id);
      const claim = { fact, holder: subsidy.id };
      try {
        await transact(mongo, clock, async (session) => {
          const row = claimRow(claim, endsOn(clock, retention.claimsMs));
          await mongo.collection(CLAIMS).insertOne(row, { session });
          await mongo.collection(QUOTES).updateOne({ _id: id }, { $set: { split, subsidy } }, { session });
        });
        return null;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const [taken] = await findClaims(mongo, [fact]);
        // A failover has taken it back, so the next try can succeed.
        if (taken === undefined) throw new Refusal('busy');
        return taken;
      }
    },
  };
}
