import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import { AFTER_LAST_DATE, FIRST_DATE } from '../../domain/analytics/range.ts';
import type { Contact } from '../../domain/deliveries/stops/stop.ts';
import { proseOf, textOf } from '../../domain/text.ts';
import type { Window } from '../../domain/window.ts';

/** The reason why an address alone is not sufficient. */
export const NO_GEOCODER = 'must be given, because this server cannot look up an address';

/** No latitude is beyond 90, and many a longitude is. */
function hintAtLongitude({ input }: { readonly input?: unknown }): string | undefined {
  if (Math.abs(Number(input)) > 180) return undefined;
  return 'must be a number from -90 to 90, and `lat` and `lng` may be swapped';
}

/** WGS84 degrees. The point 0/0 usually stands for a missing position, so it is refused. */
export const CoordinatesBody = z
  .strictObject(
    {
      lat: z.number().min(-90, { error: hintAtLongitude }).max(90, { error: hintAtLongitude }),
      lng: z.number().min(-180).max(180),
    },
    { error: ({ input }) => (input === undefined ? NO_GEOCODER : undefined) },
  )
  .refine(({ lat, lng }) => lat !== 0 || lng !== 0, { error: 'must not be 0/0, which means a missing position' });

const FIRST_INSTANT = Date.UTC(2000, 0, 1);
const LAST_INSTANT = Date.UTC(2200, 0, 1);

/** A time with its zone, as epoch ms. A year outside the range is a mistake, such as seconds written as a year. */
export const InstantBody = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= FIRST_INSTANT && at < LAST_INSTANT, 'must be a time in the years 2000 to 2199');

/** A local date. The same years as for times are possible. */
export const DateBody = z.iso
  .date()
  .refine((day) => day >= FIRST_DATE && day < AFTER_LAST_DATE, 'must be a date in the years 2000 to 2199');

/** Several lines of text for a person. */
export const InstructionsBody = proseOf(280);

const E164 = 'must be a phone number in E.164, such as +4930123456';

/** A phone number in E.164 with its plus. Spaces, dashes, dots, slashes and brackets are removed. */
export const PhoneBody = z
  .string(E164)
  .max(32, E164)
  .regex(/^\+[0-9][0-9 ()./-]*$/, E164)
  .transform((text, issues) => {
    const phone = parsePhoneNumberFromString(text);
    if (phone?.isPossible() === true) return phone.number as string;
    issues.addIssue({ code: 'custom', message: E164 });
    return z.NEVER;
  });

export const ContactBody: z.ZodType<Contact> = z.strictObject({
  name: textOf(120),
  phone: PhoneBody,
  email: z.email().max(254).exactOptional(),
});

export const AddressBody = z.union(
  [
    textOf(280),
    z.strictObject({
      street: textOf(120),
      street2: textOf(120).exactOptional(),
      city: textOf(80),
      state: textOf(80).exactOptional(),
      postal_code: textOf(16).exactOptional(),
      country: z.string().regex(/^[A-Z]{2}$/, 'must be two upper-case letters of ISO 3166-1, such as DE'),
    }),
  ],
  {
    error:
      'must be a line of text, or an object with `street`, `city` and `country`, and optionally `street2`, `state` and `postal_code`',
  },
);

export const WindowBody = z
  .strictObject({ ready_at: InstantBody.nullish(), deadline_at: InstantBody.nullish() })
  // An invalid time gets an error of its own, and its order is not checked.
  .refine(({ ready_at: from, deadline_at: to }) => typeof from !== 'number' || typeof to !== 'number' || from < to, {
    error: 'must be later than `ready_at`',
    path: ['deadline_at'],
  })
  // A window without times is not a window.
  .transform(({ ready_at: readyAt = null, deadline_at: deadlineAt = null }): Window | null =>
    readyAt === null && deadlineAt === null ? null : { readyAt, deadlineAt },
  );

const EXTERNAL_ID = 'must be 1 to 64 characters: letters, digits and . _ ~ -';
/** An id that the caller chose. */
export const ExternalIdBody = z.string(EXTERNAL_ID).regex(/^[A-Za-z0-9._~-]{1,64}$/, EXTERNAL_ID);

/** Most minor units that one field may name: a million of most currencies. */
const MOST_MINOR_UNITS = 100_000_000;

/** An amount of money in whole minor units of the vendor's currency. */
export const MinorUnits = z.number().int().min(0).max(MOST_MINOR_UNITS);

/** The number of a stop in a path: 0 is the pickup, and drop-offs count from 1. */
export const StopNumber = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number);
