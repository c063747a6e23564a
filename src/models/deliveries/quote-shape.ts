import type { Quote } from '../../domain/deliveries/quote.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, flag, id, list, number, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED, parcel, place, quoteLine } from '../common-fields.ts';

export type QuoteRow = Quote & { readonly _id: string; readonly endsOn: Date };

export const QUOTES = shape<QuoteRow>({
  name: 'quotes',
  holds: 'A price that was promised to a vendor. It never changes.',
  kept: '`RETENTION_QUOTES_MS` after the promise.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [ENDING],
  before: { lacks: ['endsOn'] },
  fields: {
    _id: text('The quote’s id.'),
    id: id('qte', 'The quote’s id.'),
    vendorId: id('ven', 'The vendor who requested the price.'),
    liveMode: flag('False for a quote of test mode.'),
    places: list(place('One stop.'), 'The pickup and the drop-offs, as the caller listed them.'),
    isTimed: flag('True if several drop-offs are visited in the listed order because one of them names a window.'),
    metadata: parcel('The goods the price is for.'),
    priority: oneOf(['express', 'scheduled'], 'Whether the delivery starts at once or in a window.'),
    fee: number('The price in minor units.'),
    currency: text('ISO 4217 code of the currency.'),
    feeBreakdown: list(quoteLine('One line.'), 'The named lines of the price. They add up to the fee.'),
    distanceM: number('Length of the route, metres.'),
    durationS: number('Expected duration, seconds.'),
    createdAt: number('When the price was promised, service time in ms.'),
    expiresAt: number('Until when the price is valid, service time in ms.'),
    endsOn: date('When the database may delete the quote.'),
  },
});
