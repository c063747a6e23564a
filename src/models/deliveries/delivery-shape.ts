import { CHANNELS, type Delivery, type Preparation, type Times } from '../../domain/deliveries/delivery.ts';
import type { Duty } from '../../domain/deliveries/due.ts';
import { ACTOR_TYPES, STAGES, STATES, VERBS, type ActorType } from '../../domain/deliveries/states.ts';
import { VEHICLE_TYPES, type CourierCard } from '../../domain/couriers/courier.ts';
import {
  either,
  flag,
  id,
  list,
  map,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
  type Field,
} from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED, parcel, quoteLine, timeZones } from '../common-fields.ts';
import { DELIVERY_INDEXES } from './delivery-indexes.ts';
import { funds, robo } from './delivery-parts.ts';
import { stop } from './stop-shape.ts';
import { DISTANCE_SOURCES } from '../../domain/deliveries/way.ts';

/**
 * A delivery as a document. Only the database needs its extra fields: `terms` are the words of searches. `dues` say
 * when each duty must check the delivery.
 */
export type DeliveryRow = Delivery & {
  readonly _id: string;
  readonly terms: readonly string[];
  readonly dues: { readonly [D in Duty]?: number };
};

export const DELIVERIES = shape<DeliveryRow>({
  name: 'deliveries',
  holds: 'One delivery, or the return of one, as it is now.',
  kept: 'Always. Its recipients are forgotten `RETENTION_EVENTS_MS` after its last change.',
  shardKey: { _id: 'hashed' },
  tenant: { ...OWNED, keys: ['_id', 'terms'] },
  indexes: DELIVERY_INDEXES,
  before: {
    lacks: ['terms', 'dues', 'links', 'searchLimitMs'],
    has: {
      link: omissible(
        part<Omit<Delivery['links'][number], 'stop'>>(
          { id: id('trk', 'The link’s id.'), tokenHash: text('Hash of the token.') },
          'The one tracking link.',
        ),
      ),
      phoneTails: omissible(list(text('Digits.'), 'The digits of phones, backwards.')),
    },
  },
  fields: {
    _id: text('The delivery’s id.'),
    id: id('del', 'The delivery’s id.'),
    kind: oneOf(['delivery', 'return'], 'Whether goods go to recipients or back to the pickup.'),
    liveMode: flag('False for a delivery of test mode.'),
    channel: oneOf(CHANNELS, 'How the delivery was ordered.'),
    vendorId: id('ven', 'The vendor who ordered the delivery.'),
    locationId: omissible(id('loc', 'The vendor location that the create named.')),
    timeZones: omissible(timeZones('The time zones of its dates in analytics, as of its birth.')),
    externalId: maybe(text('The vendor’s own id of the delivery.')),
    orderId: omissible(text('The vendor order that the delivery was dispatched for.')),
    contentHash: text('Hash of the create’s body without its quote, which tells a retry from another create.'),
    state: oneOf(STATES, 'Where the delivery is in its life.'),
    stage: maybe(oneOf(STAGES, 'Where the courier is within the state.')),
    version: number('Rises by one with each commit.'),
    sequence: number('Number of the newest event.'),
    madeBy: part<Delivery['madeBy']>(
      {
        verb: oneOf(VERBS, 'The verb.'),
        stop: maybe(number('Number of the stop that the verb named.')),
        actor: actor('The caller.'),
      },
      'The change that led to the present state. If the same change comes again, it is answered and not refused.',
    ),
    priority: oneOf(['express', 'scheduled'], 'Whether the delivery starts at once or in a window.'),
    pickup: stop('Where the goods are collected.'),
    preparation: preparation('When the goods can be collected: as named, as expected and as delayed.'),
    dropOffs: list(stop('One drop-off.'), 'Where the goods are delivered, in the order of the create.'),
    metadata: parcel('The goods.'),
    vehicleTypes: list(
      oneOf(VEHICLE_TYPES, 'A type of vehicle.'),
      'The vehicles that may carry the goods. An empty list allows any.',
    ),
    custom: map(
      either([text('A text.'), number('A number.'), flag('Yes or no.')], 'The vendor’s value.'),
      'The vendor’s own values.',
    ),
    tip: omissible(number('The tip for the courier in minor units, beside the fee.')),
    promo: omissible(text('The promotion that the vendor named.')),
    orderValueCollectedBy: omissible(
      oneOf(['service'], 'Present if a service of the platform has collected the order values for the vendor.'),
    ),
    notifyRecipient: omissible(flag('Whether the vendor wants the recipients to be notified.')),
    quoteId: maybe(id('qte', 'The quote that set the price.')),
    fee: number('The price in minor units.'),
    currency: text('ISO 4217 code of the currency.'),
    feeBreakdown: list(quoteLine('One line.'), 'The named lines of the price. They add up to the fee.'),
    funds: omissible(funds('The money of the delivery, minor units. A delivery without it is free.')),
    distanceM: number('Length of the way, metres.'),
    durationS: number('Expected duration, seconds.'),
    distanceSource: omissible(oneOf(DISTANCE_SOURCES, 'The source of distance and duration.')),
    region: text('The H3 cell of the pickup whose leader searches for a courier.'),
    searchFromAt: number('When the search begins.'),
    searchCountsFromAt: number('From when the search counts as waiting.'),
    searchUntilAt: number('When the search ends without a courier.'),
    searchLimitMs: number('How long the search may take.'),
    courierId: maybe(id('cou', 'The courier to whom the delivery is assigned.')),
    courier: maybe(card('The part of that courier’s profile that others may see.')),
    formerCouriers: list(id('cou', 'A courier.'), 'Couriers who gave the delivery back and get no other offer of it.'),
    robo: maybe(robo('The orders for a robo-courier, in test mode.')),
    links: list(
      part<Delivery['links'][number]>(
        {
          stop: number('Number of the drop-off.'),
          id: id('trk', 'The link’s id, from which its token is derived.'),
          tokenHash: text('Hash of the token.'),
        },
        'One link.',
      ),
      'The tracking links, one for each drop-off.',
    ),
    related: list(id('del', 'A delivery.'), 'The return of this delivery, or the delivery that this one returns.'),
    outcome: maybe(oneOf(['complete', 'partial'], 'Whether every drop-off was delivered.')),
    ending: maybe(
      part<NonNullable<Delivery['ending']>>(
        {
          by: oneOf(ACTOR_TYPES, 'The kind of caller who ended the delivery.'),
          reason: maybe(text('The reason that was given.')),
          comment: omissible(text('The words of the caller beside the reason.')),
        },
        'How a canceled or failed delivery ended.',
      ),
    ),
    times: times('When each step happened first. All times of a delivery are service time in ms.'),
    terms: list(text('A word.'), 'The words under which a search finds the delivery.'),
    dues: part<DeliveryRow['dues']>(
      {
        search: omissible(number('When the search must be checked.')),
        late: omissible(number('When lateness must be checked.')),
        expire: omissible(number('When a delivery of test mode ends by itself.')),
        forget: omissible(number('When its recipients are forgotten.')),
      },
      'When the duties of time must check the delivery next; infinite if it is not due at any time.',
    ),
  },
});

/** The caller who made a change. */
function actor(note: string): Field<Delivery['madeBy']['actor']> {
  type Actor = Delivery['madeBy']['actor'];
  return part<Actor>(
    { type: oneOf<ActorType>(ACTOR_TYPES, 'The kind of caller.'), id: maybe(text('The caller’s id.')) },
    note,
  );
}

function card(note: string): Field<CourierCard> {
  return part<CourierCard>(
    {
      id: id('cou', 'The courier’s id.'),
      first_name: text('The courier’s first name.'),
      vehicle_type: oneOf(VEHICLE_TYPES, 'The courier’s vehicle.'),
    },
    note,
  );
}

function preparation(note: string): Field<Preparation> {
  return part<Preparation>(
    {
      namedAt: maybe(number('The ready time that the create named.')),
      estimateMs: maybe(number('How long the goods were expected to take when they were ordered.')),
      delays: number('How often the pickup was delayed.'),
      delayedMs: number('The total delay of the pickup.'),
      lastDelay: maybe(
        part<NonNullable<Preparation['lastDelay']>>(
          {
            minutes: number('The delay in minutes.'),
            at: number('When it was requested.'),
            actor: actor('The caller who requested it.'),
          },
          'The last delay in minutes. The same request at the same moment is not another delay.',
        ),
      ),
      delayReason: omissible(text('The reason of the last delay.')),
      waitsFromAt: omissible(
        number('The ready time from which waiting counts, if it could change after the courier had arrived.'),
      ),
    },
    note,
  );
}

function times(note: string): Field<Times> {
  return part<Times>(
    {
      createdAt: number('When the delivery was created.'),
      updatedAt: number('When the delivery last changed.'),
      searchingAt: maybe(number('When the search began.')),
      assignedAt: maybe(number('When a courier was assigned.')),
      readyAt: maybe(number('When the vendor reported the goods as ready. A delay removes it.')),
      arrivedPickupAt: maybe(number('When the courier arrived at the pickup.')),
      pickedUpAt: maybe(number('When the courier collected the goods.')),
      inTransitAt: maybe(number('When the courier left the pickup.')),
      arrivedDropOffAt: maybe(number('When the courier arrived at the first drop-off.')),
      deliveredAt: maybe(number('When the delivery was delivered.')),
      canceledAt: maybe(number('When the delivery was canceled.')),
      failedAt: maybe(number('When the delivery failed.')),
    },
    note,
  );
}
