import type { CourierId, OfferId } from '../../domain/ids.ts';
import type { LegSums, RoutedSums, SetOffSums } from '../../domain/learning/travel.ts';
import type { AcceptanceRecord, Tally } from '../../domain/offers/acceptance.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, id, list, map, number, omissible, part, type Field, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

/** One row per courier. `recent` has the last counted offers, so that no offer counts twice. */
export type AcceptanceRow = AcceptanceRecord & {
  readonly _id: CourierId;
  readonly recent: readonly OfferId[];
  readonly endsOn: Date;
};

/**
 * The histogram of one key. `counts` has one entry per minute of preparation. `seen` counts the samples with a known
 * ready time. `ms` is the quantile after the last sample. Each further sample makes the older ones fade.
 */
export type PreparationRow = {
  readonly _id: string;
  readonly counts: readonly number[];
  readonly seen: number;
  readonly ms: number;
  readonly endsOn: Date;
};

/** The legs of one vehicle from one cell or area, in one mode: fading sums by hour of the week (`h0` to `h167`). */
export type TravelRow = {
  readonly _id: string;
  readonly hours: Readonly<Record<string, LegSums>>;
  /** Absent until a routing server knew the way of a leg, and in rows stored before the field existed. */
  readonly routed?: Readonly<Record<string, RoutedSums>>;
  /** Absent until a departure from there was known, and in rows stored before the field existed. */
  readonly setOff?: SetOffSums;
  /** The database's time of the last leg. */
  readonly changedOn: Date;
  readonly endsOn: Date;
};

export const ACCEPTANCE = shape<AcceptanceRow>({
  name: 'acceptance',
  holds: 'How one courier answers offers.',
  kept: '140 days after the last answer.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  fields: {
    _id: id('cou', 'The courier’s id.'),
    at: number('The time to which the sums have faded, service time in ms.'),
    bands: part<AcceptanceRow['bands']>(
      {
        km_0_1: omissible(tally('Offers up to 1 km from the pickup.')),
        km_1_3: omissible(tally('Offers from 1 km to 3 km.')),
        km_3_6: omissible(tally('Offers from 3 km to 6 km.')),
        km_6_up: omissible(tally('Offers at 6 km and more.')),
      },
      'The answers by the length of the way to the pickup.',
    ),
    recent: list(id('off', 'An offer.'), 'The last counted offers, so that no offer counts twice.'),
    endsOn: date('When the database may delete the row.'),
  },
});

function tally(note: string): Field<Tally> {
  return part<Tally>(
    {
      asked: number('How many offers were answered, faded.'),
      accepted: number('How many of them were accepted, faded.'),
    },
    note,
  );
}

export const PREPARATION = shape<PreparationRow>({
  name: 'preparation',
  holds: 'How long goods take at a vendor, at one of their pickup places, or at a place in one hour of the week.',
  kept: '90 days after the last sample.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  fields: {
    _id: text('Vendor and mode, alone or with an H3 cell, or with a cell and an hour.'),
    counts: list(number('A faded number of samples.'), 'A histogram with one entry for each minute of preparation.'),
    seen: number('How many samples had a known ready time, faded.'),
    ms: number('The quantile that the server plans with.'),
    endsOn: date('When the database may delete the row.'),
  },
});

export const TRAVEL = shape<TravelRow>({
  name: 'travel',
  holds:
    'How fast one type of vehicle is on legs from one H3 cell or the area around it, in one mode, also compared with a routing server.',
  kept: '90 days after the last leg.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  fields: {
    _id: text('Mode, H3 cell and vehicle.'),
    hours: map(
      part<LegSums>(
        { metres: number('Metres, faded.'), seconds: number('Seconds, faded.'), seen: number('Legs, faded.') },
        'The legs that began in this hour.',
      ),
      'The sums by hour of the week, `h0` to `h167`.',
    ),
    routed: omissible(
      map(
        part<RoutedSums>(
          {
            routedS: number('Seconds by the routing server, faded.'),
            seconds: number('Seconds that the couriers took, faded.'),
            seen: number('Legs, faded.'),
          },
          'The legs that began in this hour and whose way a routing server knew.',
        ),
        'Their sums by hour of the week, `h0` to `h167`.',
      ),
    ),
    setOff: omissible(
      part<SetOffSums>(
        {
          seconds: number('Seconds from the collection of goods to the departure, faded.'),
          seen: number('Departures, faded.'),
        },
        'How long couriers took to set off after they collected goods, if their departure was known.',
      ),
    ),
    changedOn: date('The database’s time of the last leg.'),
    endsOn: date('When the database may delete the row.'),
  },
});
