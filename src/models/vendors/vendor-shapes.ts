import type { DateHours, DayHours, Hours, LocationHours, Period } from '../../domain/vendors/hours.ts';
import {
  GROWN_LOCATION,
  GROWN_VENDOR,
  LOCATION_KINDS,
  SETTLEMENT_CYCLES,
  VENDOR_STATUSES,
  type Business,
  type Readiness,
  type SettlementTerms,
  type Vendor,
  type VendorLocation,
} from '../../domain/vendors/vendor.ts';
import type { Area, Zone } from '../../domain/vendors/zone.ts';
import { flag, id, list, maybe, number, oneOf, part, text, whole, type Field } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { address, contact, place } from '../common-fields.ts';

export type VendorRow = Vendor & { readonly _id: string };
export type LocationRow = VendorLocation & { readonly _id: string };

const PERIODS: Field<readonly Period[]> = list(
  part<Period>({ start: text('HH:MM.'), end: text('HH:MM, up to 24:00.') }, 'One period.'),
  'The periods in which the location is open.',
);

const HOURS = {
  timezone: text('IANA time zone.'),
  weekly: maybe(
    list(
      part<DayHours>({ day: number('1 for Monday to 7 for Sunday.'), periods: PERIODS }, 'One day.'),
      'The days with periods; null if every day is open all day.',
    ),
  ),
  exceptions: list(
    part<DateHours>({ date: text('YYYY-MM-DD.'), periods: PERIODS }, 'One date.'),
    'Dates that differ from their day of the week.',
  ),
};

export const VENDORS = shape<VendorRow>({
  name: 'vendors',
  holds: 'A business that orders deliveries.',
  kept: 'Always.',
  shardKey: null,
  tenant: { pins: ({ vendorId }) => ({ _id: vendorId }), keys: ['_id'] },
  indexes: [],
  before: { lacks: GROWN_VENDOR },
  fields: {
    _id: text('The vendor’s id.'),
    id: id('ven', 'The vendor’s id.'),
    name: text('The name that recipients see.'),
    currency: text('ISO 4217 code of the currency of all prices.'),
    accent: text('Colour of the vendor’s tracking pages.'),
    logo: maybe(id('fil', 'The picture beside the name on tracking pages; null for none.')),
    searchLimitMs: number('How long the server searches for a courier, service time in ms.'),
    maxDistanceM: number('Longest way of a delivery, metres.'),
    createdAt: number('When the vendor was added, service time in ms.'),
    status: oneOf(VENDOR_STATUSES, 'Whether the vendor gets quotes and new deliveries.'),
    business: part<Business>(
      {
        legalName: maybe(text('The registered name.')),
        taxId: maybe(text('The tax number.')),
        website: maybe(text('Address of the website.')),
        address: maybe(address('The address of the business.')),
        contact: maybe(contact('The person to contact about the account.')),
      },
      'The details of the business.',
    ),
    timezone: maybe(text('IANA time zone of its dates; null for that of its hours.')),
    hours: maybe(part<Hours>(HOURS, 'The hours of every location without hours of its own; null if always open.')),
    hoursEdition: number('How often the hours of all locations were set.'),
    settlement: part<SettlementTerms>(
      {
        cycle: oneOf(SETTLEMENT_CYCLES, 'How long a period lasts.'),
        cutOff: text('The local time at which a period ends, HH:MM.'),
      },
      'When the money of the vendor is settled.',
    ),
    version: number('Rises by one with each change.'),
    updatedAt: number('When the vendor last changed, service time in ms.'),
  },
});

export const LOCATIONS = shape<LocationRow>({
  name: 'locations',
  holds: 'A storefront or a warehouse of a vendor.',
  kept: 'Always.',
  shardKey: { vendorId: 1 },
  tenant: { pins: ({ vendorId }) => ({ vendorId }), keys: ['_id'] },
  indexes: [{ key: { vendorId: 1, _id: 1 } }],
  before: { lacks: GROWN_LOCATION },
  fields: {
    _id: text('The location’s id.'),
    id: id('loc', 'The location’s id.'),
    vendorId: id('ven', 'The vendor whose location it is.'),
    name: text('The name of the location.'),
    place: place('Where couriers collect the goods.'),
    address: address('The address of the location.'),
    contact: contact('The person at the location.'),
    isReady: flag('True if the location takes immediate deliveries.'),
    readiness: maybe(
      part<Readiness>(
        {
          by: part<Readiness['by']>(
            { type: text('The kind of caller.'), id: maybe(text('Their id.')) },
            'The caller who reported it.',
          ),
          at: number('When it was reported, service time in ms.'),
          until: maybe(number('When the location becomes ready by itself, service time in ms.')),
        },
        'The last report about the readiness.',
      ),
    ),
    kind: oneOf(LOCATION_KINDS, 'Whether it is a storefront or a warehouse.'),
    instructions: maybe(text('For the courier at each pickup.')),
    maxDistanceM: maybe(number('Longest way from here, metres; null for that of the vendor.')),
    hours: maybe(
      part<LocationHours>(
        { ...HOURS, edition: number('The edition of the vendor’s hours that these hours replace.') },
        'The hours of this location alone.',
      ),
    ),
    zones: list(
      part<Zone>(
        {
          id: id('zon', 'The zone’s id.'),
          name: text('The name of the zone.'),
          area: whole<Area>('GeoJSON, which only the server reads.'),
          cells: list(text('An H3 cell.'), 'The cells whose centres lie in the zone.'),
          cellSize: number('The H3 resolution of the cells.'),
        },
        'One zone.',
      ),
      'Where drop-offs may be. An empty list allows every place.',
    ),
    createdAt: number('When the location was added, service time in ms.'),
    version: number('Rises by one with each change.'),
    updatedAt: number('When the location last changed, service time in ms.'),
  },
});
