import { hoursAt, setHours } from '../../../vendors/set-hours.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { vendorOf } from '../../owner.ts';
import { HoursBody, HoursView, presentHours } from '../../wire/vendors/hours.ts';
import { VendorListQuery } from '../../wire/vendors/vendor.ts';
import { versionOf } from '../deliveries/deliveries.ts';

const tag = 'Vendor';

/** The opening hours of vendor locations. */
export const HOURS = [
  endpoint({
    route: 'GET /vendor/hours',
    name: 'listVendorHours',
    tag,
    summary: 'List the opening hours of each location',
    description:
      'Returns the hours that count at each location, and whether it is open now. A location without hours is always open.',
    query: VendorListQuery,
    reply: listOf(HoursView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const vendor = await ctx.vendors.get(vendorOf(caller, query.vendor_id));
      const scope = `vendor hours ${vendor.id}`;
      const page = await ctx.vendors.listLocations(vendor.id, pageRequest(ctx.signer, scope, query));
      const now = ctx.clock.now();
      const views = mapPage(page, (location) => presentHours(hoursAt(vendor, location), now));
      return listAnswer(ctx.signer, scope, url, views);
    },
  }),
  endpoint({
    route: 'PATCH /vendor/hours',
    name: 'setVendorHours',
    tag,
    summary: 'Set the opening hours of one location or of all; supports If-Match',
    description:
      'Replaces the hours of a location, or of all locations if none is named. While a location is closed, quotes and ' +
      'creates are refused with the reason `outside_operating_hours`. Deliveries that exist already go on. A period ' +
      'belongs to the day on which it starts. If clocks change during a period, it starts with the first and ends with ' +
      'the last moment at which clocks show its times.',
    ifMatch: true,
    body: HoursBody,
    reply: HoursView,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, body, ifMatch }) => {
      const vendorId = vendorOf(caller, body.vendorId);
      const hours = await setHours(ctx, caller, { ...body, vendorId, ifVersion: versionOf(ifMatch) });
      return new Answer(presentHours(hours, ctx.clock.now()), { headers: { ETag: `"${hours.version}"` } });
    },
  }),
];
