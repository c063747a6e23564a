import { addVendor, changeVendor } from '../../../vendors/edit-account.ts';
import type { Vendor } from '../../../domain/vendors/vendor.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { vendorOf } from '../../owner.ts';
import { OwnListQuery } from '../../wire/deliveries/delivery-list.ts';
import {
  NewVendorBody,
  presentVendor,
  ProfileBody,
  VendorChangesBody,
  VendorQuery,
  VendorView,
} from '../../wire/vendors/vendor.ts';
import { versionOf } from '../deliveries/deliveries.ts';

const tag = 'Vendor';
const MINUTE_MS = 60_000;

/** The profile of a vendor. */
export const PROFILE = [
  endpoint({
    route: 'GET /vendor/profile',
    name: 'getVendorProfile',
    tag,
    summary: 'Read the profile of the vendor',
    description: 'Returns the business details, the contact and the branding of the account. Staff name the vendor.',
    query: VendorQuery,
    reply: VendorView,
    status: 200,
    run: async (ctx, { caller, query }) => answerVendor(await ctx.vendors.get(vendorOf(caller, query.vendor_id))),
  }),
  endpoint({
    route: 'PATCH /vendor/profile',
    name: 'updateVendorProfile',
    tag,
    summary: 'Change the profile of the vendor; supports If-Match',
    description:
      'Changes the fields that are sent. The name and the colour of the branding are shown on the tracking pages of ' +
      'all deliveries at once.',
    ifMatch: true,
    body: ProfileBody,
    reply: VendorView,
    status: 200,
    run: async (ctx, { caller, body: { vendorId, changes }, ifMatch }) =>
      answerVendor(await changeVendor(ctx, vendorOf(caller, vendorId), versionOf(ifMatch), changes)),
  }),
];

/** The accounts of all vendors, for staff. */
export const VENDORS = [
  endpoint({
    route: 'POST /vendors',
    name: 'createVendor',
    tag,
    summary: 'Add a vendor',
    description: 'Adds an active vendor. It has neither locations nor API keys yet.',
    body: NewVendorBody,
    reply: VendorView,
    status: 201,
    run: async (ctx, { body, newId }) => {
      const { quotes, search } = ctx.settings;
      const { name, currency = quotes.currency, search_limit_min: minutes } = body;
      const searchLimitMs = minutes === undefined ? search.limitMs : minutes * MINUTE_MS;
      const account = { name, currency, searchLimitMs, maxDistanceM: body.max_distance_m ?? search.maxDistanceM };
      const vendor = await addVendor(ctx, account, newId('ven'));
      return answerVendor(vendor, { Location: `/vendors/${vendor.id}` });
    },
  }),
  endpoint({
    route: 'GET /vendors',
    name: 'listVendors',
    tag,
    summary: 'List all vendors, newest first',
    description: 'Returns the accounts of all vendors, also of suspended ones.',
    query: OwnListQuery,
    reply: listOf(VendorView),
    status: 200,
    run: async (ctx, { query, url }) => {
      const scope = 'vendors';
      const page = await ctx.vendors.list(pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentVendor));
    },
  }),
  endpoint({
    route: 'GET /vendors/{id}',
    name: 'getVendor',
    tag,
    summary: 'Read a vendor',
    description: 'Returns the account and the profile of a vendor.',
    id: 'vendor',
    reply: VendorView,
    status: 200,
    run: async (ctx, { id }) => answerVendor(await ctx.vendors.get(id)),
  }),
  endpoint({
    route: 'PATCH /vendors/{id}',
    name: 'updateVendor',
    tag,
    summary: 'Change the account of a vendor; supports If-Match',
    description:
      'Changes the fields that are sent. They apply to new quotes and deliveries. A suspended vendor gets neither, and ' +
      'open deliveries go on.',
    id: 'vendor',
    ifMatch: true,
    body: VendorChangesBody,
    reply: VendorView,
    status: 200,
    run: async (ctx, { id, body, ifMatch }) => answerVendor(await changeVendor(ctx, id, versionOf(ifMatch), body)),
  }),
];

function answerVendor(vendor: Vendor, headers: Record<string, string> = {}): Answer<ReturnType<typeof presentVendor>> {
  return new Answer(presentVendor(vendor), { headers: { ...headers, ETag: `"${vendor.version}"` } });
}
