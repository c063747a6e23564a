import { z } from 'zod';
import { AddressView } from '../../../domain/deliveries/delivery-view.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { contrastWithWhite, LEAST_CONTRAST } from '../../../domain/vendors/contrast.ts';
import { SETTLEMENT_CYCLES, VENDOR_STATUSES, type Business, type Vendor } from '../../../domain/vendors/vendor.ts';
import { linkTo } from '../../../files/links.ts';
import type { VendorChanges } from '../../../vendors/edit-account.ts';
import { pageQuery } from '../../lists.ts';
import { CurrencyBody } from '../currency.ts';
import { given } from '../given.ts';
import { AddressBody, ContactBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';
import { TimeZoneBody } from './hours.ts';
import { MaxDistanceBody } from './location.ts';

const MINUTE_MS = 60_000;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const CYCLE = 'How often: each day, or each week on Monday';
const CUT_OFF = 'Local time at which a period ends, HH:MM, in the time zone of the vendor';

/** The vendor whom a member of staff asks about. */
const vendorId = idSchema('ven').exactOptional().describe('The vendor. Required for staff');
export const VendorQuery = z.strictObject({ vendor_id: vendorId });
export const VendorListQuery = z.strictObject({ ...pageQuery, vendor_id: vendorId });

const AccentBody = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #0b6e4f')
  .refine((colour) => contrastWithWhite(colour) >= LEAST_CONTRAST, {
    error: ({ input }) =>
      `must have a contrast of at least ${LEAST_CONTRAST} with white, so that text is readable; it has ${contrastWithWhite(String(input)).toFixed(1)}`,
  })
  .describe(`Colour of the tracking pages, #rrggbb, with a contrast of at least ${LEAST_CONTRAST} with white`);

const WEBSITE = /^https?:\/\/[^\s/]+(\/\S*)?$/;
const WebsiteBody = textOf(254)
  .regex(WEBSITE, 'must be an address that begins with https:// or http://')
  .meta({ pattern: WEBSITE.source })
  .describe('Address of the website, at most 254 characters. Null for none');

export const ProfileBody = z
  .strictObject({
    vendor_id: vendorId,
    legal_name: textOf(120).nullable().exactOptional().describe('The registered name. Null for none'),
    tax_id: textOf(64).nullable().exactOptional().describe('The tax number, at most 64 characters. Null for none'),
    website: WebsiteBody.nullable().exactOptional(),
    address: AddressBody.nullable().exactOptional().describe('The address of the business. Null for none'),
    contact: ContactBody.nullable().exactOptional().describe('The person to contact about the account. Null for none'),
    timezone: TimeZoneBody.nullable()
      .exactOptional()
      .describe(
        'IANA time zone of the dates in analytics and lists. Null for the time zone of the opening hours, or UTC without any',
      ),
    branding: z
      .strictObject({
        name: textOf(120).exactOptional().describe('The name that recipients see, at most 120 characters'),
        accent: AccentBody.exactOptional(),
      })
      .exactOptional()
      .describe('How recipients see the vendor'),
  })
  .transform(({ vendor_id: asked, legal_name: legalName, tax_id: taxId, branding = {}, ...rest }) => {
    const { website, address, contact, timezone } = rest;
    const business = given<Partial<Business>>({ legalName, taxId, website, address, contact });
    return {
      vendorId: asked ?? null,
      changes: { ...branding, business, ...given<VendorChanges>({ timezone }) } satisfies VendorChanges,
    };
  });

const account = {
  name: textOf(120).describe('The name that recipients see, at most 120 characters'),
  currency: CurrencyBody.describe('ISO 4217 code of the currency of new quotes and deliveries'),
  search_limit_min: z.number().int().min(3).max(60).describe('How long a search for a courier lasts, minutes'),
  max_distance_m: MaxDistanceBody.describe('The longest way of a delivery, metres'),
};

export const NewVendorBody = z.strictObject({
  name: account.name,
  currency: account.currency.exactOptional(),
  search_limit_min: account.search_limit_min.exactOptional(),
  max_distance_m: account.max_distance_m.exactOptional(),
});

export const VendorChangesBody = z
  .strictObject({
    name: account.name.exactOptional(),
    currency: account.currency.exactOptional(),
    search_limit_min: account.search_limit_min.exactOptional(),
    max_distance_m: account.max_distance_m.exactOptional(),
    status: z
      .enum(VENDOR_STATUSES)
      .exactOptional()
      .describe('A suspended vendor gets no quotes and no new deliveries. Open deliveries go on'),
    reason: textOf(280)
      .exactOptional()
      .describe('Why, for the audit log, which the vendor can read: 1 to 280 characters'),
    settlement: z
      .strictObject({
        cycle: z.enum(SETTLEMENT_CYCLES).describe(CYCLE),
        cut_off: z.string().regex(TIME, 'must be a time from 00:00 to 23:59').describe(CUT_OFF),
      })
      .exactOptional()
      .describe('When the money of the vendor is settled. A change counts from the next period on'),
  })
  .transform(({ search_limit_min: minutes, max_distance_m: maxDistanceM, settlement, ...rest }): VendorChanges => ({
    ...rest,
    ...given<VendorChanges>({
      maxDistanceM,
      searchLimitMs: minutes === undefined ? undefined : minutes * MINUTE_MS,
      settlement: settlement === undefined ? undefined : { cycle: settlement.cycle, cutOff: settlement.cut_off },
    }),
  }));

const time = z.iso.datetime();

export const VendorView = z.strictObject({
  id: idSchema('ven').describe('The vendor’s id'),
  object: z.literal('vendor').describe('Always `vendor`'),
  status: z.enum(VENDOR_STATUSES).describe('A suspended vendor gets no quotes and no new deliveries'),
  currency: z.string().describe('ISO 4217 code of the currency of new quotes and deliveries'),
  legal_name: z.string().nullable().describe('The registered name'),
  tax_id: z.string().nullable().describe('The tax number'),
  website: z.string().nullable().describe('Address of the website'),
  address: AddressView.nullable().describe('The address of the business as it was sent: one line, or its parts'),
  contact: z
    .strictObject({
      name: z.string().describe('The name of the person'),
      phone: z.string().describe('Their phone number, E.164'),
      email: z.string().exactOptional().describe('Their e-mail address'),
    })
    .nullable()
    .describe('The person to contact about the account'),
  timezone: z
    .string()
    .nullable()
    .describe('IANA time zone of the dates in analytics and lists; null for that of the opening hours, or UTC'),
  branding: z
    .strictObject({
      name: z.string().describe('The name that recipients see'),
      accent: z.string().describe('Colour of the tracking pages, #rrggbb'),
      logo: z
        .strictObject({
          url: z.string().describe('Link to the picture, at most 512 pixels wide and high'),
          expires_at: time.describe('When the link expires. Read the profile again for a new one'),
        })
        .nullable()
        .describe('The logo beside the name on the tracking pages; null for none'),
    })
    .describe('How recipients see the vendor'),
  settlement: z
    .strictObject({
      cycle: z.enum(SETTLEMENT_CYCLES).describe(CYCLE),
      cut_off: z.string().describe(CUT_OFF),
    })
    .describe('When the money of the vendor is settled'),
  search_limit_min: z.number().describe('How long a search for a courier lasts, minutes'),
  max_distance_m: z.number().int().describe('The longest way of a delivery, metres. A location may have less'),
  version: z.number().int().describe('Rises by one with each change; also the `ETag`'),
  created_at: time.describe('When the vendor was added'),
  updated_at: time.describe('When the vendor last changed'),
});

export function presentVendor(ctx: Parameters<typeof linkTo>[0], vendor: Vendor): z.output<typeof VendorView> {
  const { legalName, taxId, website, address, contact } = vendor.business;
  return {
    id: vendor.id,
    object: 'vendor',
    status: vendor.status,
    currency: vendor.currency,
    legal_name: legalName,
    tax_id: taxId,
    website,
    address: address === null || typeof address === 'string' ? address : { ...address },
    contact: contact === null ? null : { ...contact },
    timezone: vendor.timezone,
    branding: {
      name: vendor.name,
      accent: vendor.accent,
      logo: vendor.logo === null ? null : linkTo(ctx, vendor.logo),
    },
    settlement: { cycle: vendor.settlement.cycle, cut_off: vendor.settlement.cutOff },
    search_limit_min: vendor.searchLimitMs / MINUTE_MS,
    max_distance_m: vendor.maxDistanceM,
    version: vendor.version,
    created_at: isoTime(vendor.createdAt),
    updated_at: isoTime(vendor.updatedAt),
  };
}
