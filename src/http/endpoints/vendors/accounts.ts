import { addVendor, changeVendor } from '../../../vendors/edit-account.ts';
import { setLogo } from '../../../vendors/set-logo.ts';
import type { Vendor } from '../../../domain/vendors/vendor.ts';
import { acceptUpload } from '../../../files/accept-upload.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
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
    refuses: [404],
    run: async (ctx, { caller, query }) => answerVendor(ctx, await ctx.vendors.get(vendorOf(caller, query.vendor_id))),
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
    refuses: [404],
    run: async (ctx, { caller, body: { vendorId, changes }, ifMatch }) =>
      answerVendor(ctx, await changeVendor(ctx, vendorOf(caller, vendorId), versionOf(ifMatch), changes)),
  }),
  endpoint({
    route: 'POST /vendor/profile/logo',
    name: 'setVendorLogo',
    tag,
    summary: 'Set the logo of the vendor; supports If-Match',
    description:
      'Takes a form with one picture, `logo`: a JPEG, PNG or WebP. A picture above 512 pixels is made smaller, and ' +
      'its metadata is removed. It replaces the logo before, and the tracking pages of all deliveries show it at once.',
    ifMatch: true,
    body: VendorQuery,
    upload: { logo: 1 },
    reply: VendorView,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, body, files: [file], ifMatch }) => {
      const vendorId = vendorOf(caller, body.vendor_id);
      if (file === undefined) throw refuseField('/logo', 'required', 'must be a file: a picture');
      // No file is stored for a vendor who does not exist.
      const before = await ctx.vendors.get(vendorId);
      const known = before.logo === null ? [] : [before.logo];
      const { id: logo } = await acceptUpload(ctx, file, { kind: 'logo', subject: vendorId }, known);
      return answerVendor(ctx, await setLogo(ctx, vendorId, versionOf(ifMatch), logo));
    },
  }),
  endpoint({
    route: 'DELETE /vendor/profile/logo',
    name: 'deleteVendorLogo',
    tag,
    summary: 'Remove the logo of the vendor; supports If-Match',
    description: 'Removes the logo. The tracking pages then show the first letter of the name. Staff name the vendor.',
    ifMatch: true,
    query: VendorQuery,
    status: 204,
    refuses: [404],
    run: async (ctx, { caller, query, ifMatch }) => {
      await setLogo(ctx, vendorOf(caller, query.vendor_id), versionOf(ifMatch), null);
    },
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
      return answerVendor(ctx, vendor, { Location: `/vendors/${vendor.id}` });
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
      return listAnswer(
        ctx.signer,
        scope,
        url,
        mapPage(page, (vendor) => presentVendor(ctx, vendor)),
      );
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
    run: async (ctx, { id }) => answerVendor(ctx, await ctx.vendors.get(id)),
  }),
  endpoint({
    route: 'PATCH /vendors/{id}',
    name: 'updateVendor',
    tag,
    summary: 'Change the account of a vendor; supports If-Match',
    description:
      'Changes the fields that are sent. They apply to new quotes and deliveries. A suspended vendor gets neither, and ' +
      'open deliveries go on. The currency can change only before the first delivery, top-up or other money ' +
      'of the vendor, and while no adjustment awaits its approval. Otherwise the answer is 409 `update_not_allowed` with the reason `wallet_in_use`.',
    id: 'vendor',
    ifMatch: true,
    body: VendorChangesBody,
    reply: VendorView,
    status: 200,
    run: async (ctx, { id, body, ifMatch }) => answerVendor(ctx, await changeVendor(ctx, id, versionOf(ifMatch), body)),
  }),
];

function answerVendor(
  ctx: HttpContext,
  vendor: Vendor,
  headers: Record<string, string> = {},
): Answer<ReturnType<typeof presentVendor>> {
  return new Answer(presentVendor(ctx, vendor), { headers: { ...headers, ETag: `"${vendor.version}"` } });
}
