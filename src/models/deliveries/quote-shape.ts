import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import type { PickupOutlook, Quote, WaitingEstimate } from '../../domain/deliveries/quote.ts';
import {
  DISCOUNTS,
  PAYERS,
  type AppliedSubsidy,
  type Discount,
  type Split,
  type Subsidy,
} from '../../domain/pricing/split.ts';
import type { EtaRange } from '../../domain/time.ts';
import { ENDING } from '../../engines/retention.ts';
import {
  date,
  flag,
  id,
  list,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
  whole,
  type Fields,
} from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED, parcel, place, quoteLine } from '../common-fields.ts';
import { DISTANCE_SOURCES } from '../../domain/deliveries/way.ts';

export type QuoteRow = Quote & { readonly _id: string; readonly endsOn: Date };

const SPLIT: Fields<Split> = {
  customer: number('The share of the vendor’s customer, minor units.'),
  vendor: number('The share of the vendor, minor units.'),
  platform: number('The share of the platform, minor units.'),
  discounts: list(
    part<Discount>(
      {
        type: oneOf(DISCOUNTS, 'The reason for the discount.'),
        amount: number('Amount in minor units.'),
        paid_by: oneOf(PAYERS, 'The payer.'),
      },
      'One discount.',
    ),
    'The parts of the fee that the customer does not pay, in the order in which they were taken off.',
  ),
  surgeBp: number('The factor of demand in the price, basis points.'),
  isSurgeCapped: flag('True if a rule allowed no higher factor.'),
};

const WAITING: Fields<WaitingEstimate> = {
  minutes: number('The minutes of waiting at the pickup that will probably be charged.'),
  amount: number('Their charge, minor units.'),
};

const OUTLOOK: Fields<PickupOutlook> = {
  couriersNear: maybe(number('Free couriers near the pickup who could carry the goods, up to five; null if unknown.')),
  eta: maybe(
    part<EtaRange>(
      {
        at: number('The most likely time, service time in ms.'),
        lowerAt: number('The earliest.'),
        upperAt: number('The latest.'),
      },
      'When a courier could be at the pickup.',
    ),
  ),
};

const SUBSIDY: Fields<AppliedSubsidy> = {
  id: id('sub', 'The id of the subsidy.'),
  terms: whole<Subsidy>('The terms as the vendor sent them. Nothing looks for them.'),
  amount: number('The part of the fee that it takes off, minor units.'),
  appliedAt: number('When it was applied, service time in ms.'),
};

export const QUOTES = shape<QuoteRow>({
  name: 'quotes',
  holds: 'A price that was promised to a vendor. Its fee never changes, and its shares only by one subsidy.',
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
    vehicle: omissible(
      oneOf(VEHICLE_TYPES, 'The first of the vehicles that the request named; its way has the price.'),
    ),
    fee: number('The price in minor units.'),
    currency: text('ISO 4217 code of the currency.'),
    feeBreakdown: list(quoteLine('One line.'), 'The named lines of the price. They add up to the fee.'),
    split: omissible(part<Split>(SPLIT, 'The shares of the fee.')),
    freeKg: omissible(number('The weight without a surcharge, kg.')),
    waiting: omissible(part<WaitingEstimate>(WAITING, 'The waiting that is expected.')),
    outlook: omissible(part<PickupOutlook>(OUTLOOK, 'The couriers near the pickup when the quote was made.')),
    subsidy: omissible(part<AppliedSubsidy>(SUBSIDY, 'The subsidy that was applied after the quote was made.')),
    distanceM: number('Length of the way, metres.'),
    durationS: number('Expected duration, seconds.'),
    distanceSource: omissible(oneOf(DISTANCE_SOURCES, 'The source of distance and duration.')),
    visits: omissible(
      list(number('One drop-off.'), 'The numbers of the drop-offs in the order of visits, whose way has the price.'),
    ),
    polylines: omissible(
      list(text('One encoded line.'), 'The line along streets of each leg, in the order of visits.'),
    ),
    createdAt: number('When the price was promised, service time in ms.'),
    expiresAt: number('Until when the price is valid, service time in ms.'),
    endsOn: date('When the database may delete the quote.'),
  },
});
