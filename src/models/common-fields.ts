import type { Parcel } from '../domain/deliveries/parcel.ts';
import { LINE_TYPES, type QuoteLine } from '../domain/deliveries/quote.ts';
import type { Address, Contact } from '../domain/deliveries/stops/stop.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { Zones } from '../domain/vendors/time-zone.ts';
import { either, number, omissible, oneOf, part, text, type Field, type Fields } from '../engines/shapes/fields.ts';
import type { TenantRule } from '../engines/tenants/tenants.ts';
import type { Wallet } from '../ports/money/billing.ts';

/** Rows of a vendor in a mode, found by their key. */
export const OWNED: TenantRule = { pins: ({ vendorId, liveMode }) => ({ vendorId, liveMode }), keys: ['_id'] };

/** The same fields, with their amounts as 64-bit integers. */
export type Exact<T, Amounts extends keyof T> = Omit<T, Amounts> & { readonly [Name in Amounts]: bigint };

/** The key of a vendor’s account in a book. */
export function accountId({ vendorId, book }: Pick<Wallet, 'vendorId' | 'book'>): string {
  return `${vendorId}:${book}`;
}

/** A point on the map. */
export function place(note: string): Field<Coordinates> {
  return part<Coordinates>({ lat: number('Latitude, WGS84 degrees.'), lng: number('Longitude, WGS84 degrees.') }, note);
}

/** An address as the caller sent it: one line of text, or its parts. */
export function address(note: string): Field<Address> {
  return either(
    [text('The address in one line.'), part<Exclude<Address, string>>(ADDRESS, 'The address in parts.')],
    note,
  );
}

const ADDRESS: Fields<Exclude<Address, string>> = {
  street: text('Street and house number.'),
  street2: omissible(text('Second line of the address, for example a floor or a building.')),
  city: text('City.'),
  state: omissible(text('State or region.')),
  postal_code: omissible(text('Postal code.')),
  country: text('Country.'),
};

/** The time zones of dates. */
export function timeZones(note: string): Field<Zones> {
  return part<Zones>({ vendor: text('That of the vendor.'), location: text('That of the vendor location.') }, note);
}

/** The person at a place. */
export function contact(note: string): Field<Contact> {
  const fields: Fields<Contact> = {
    name: text('Name of the person.'),
    phone: text('Phone number in E.164 form.'),
    email: omissible(text('E-mail address.')),
  };
  return part<Contact>(fields, note);
}

/** The goods of a delivery. */
export function parcel(note: string): Field<Parcel> {
  const fields: Fields<Parcel> = {
    weight: omissible(number('Weight in kg.')),
    category: omissible(oneOf(['Food', 'Package'], 'The kind of goods.')),
    fragility: omissible(oneOf(['none', 'low', 'high'], 'How easily the goods break.')),
  };
  return part<Parcel>(fields, note);
}

/** One line of a price. */
export function quoteLine(note: string): Field<QuoteLine> {
  const fields: Fields<QuoteLine> = {
    type: oneOf(LINE_TYPES, 'The reason for the charge.'),
    amount: number('Amount in minor units.'),
  };
  return part<QuoteLine>(fields, note);
}
