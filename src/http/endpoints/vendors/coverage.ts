import { addZone, changeZone, removeZone } from '../../../vendors/edit-zones.ts';
import { judgeCoverage } from '../../../vendors/judge-coverage.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { vendorOf } from '../../owner.ts';
import {
  CoverageQuery,
  CoverageView,
  NewZoneBody,
  presentCoverage,
  presentZone,
  ZoneChangesBody,
  ZoneView,
} from '../../wire/vendors/coverage.ts';

const tag = 'Vendor';

/** Where the locations of a vendor deliver to. */
export const COVERAGE = [
  endpoint({
    route: 'GET /vendor/coverage',
    name: 'getVendorCoverage',
    tag,
    summary: 'List the zones and the longest ways of each location',
    description:
      'Returns the zones of each location as GeoJSON and as H3 cells. With `lat` and `lng` it says for each location ' +
      'whether a drop-off may be at that point, and why not.',
    query: CoverageQuery,
    reply: listOf(CoverageView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const vendor = await ctx.vendors.get(vendorOf(caller, query.vendor_id));
      const { lat, lng } = query;
      const point = lat === undefined || lng === undefined ? null : { lat, lng };
      const scope = `coverage ${vendor.id}`;
      const page = await ctx.vendors.listLocations(vendor.id, pageRequest(ctx.signer, scope, query));
      const { maxDistanceM } = ctx.settings.search;
      const views = mapPage(page, (location) => presentCoverage(judgeCoverage(vendor, location, point, maxDistanceM)));
      return listAnswer(ctx.signer, scope, url, views);
    },
  }),
  endpoint({
    route: 'POST /vendor/locations/{id}/zones',
    name: 'createLocationZone',
    tag,
    summary: 'Add a zone to a location',
    description:
      'Adds a zone of drop-offs. As soon as a location has a zone, it delivers only to places within its zones. A ' +
      'location has at most 10 zones.',
    id: 'location',
    body: NewZoneBody,
    reply: ZoneView,
    status: 201,
    run: async (ctx, { caller, id, body, newId }) => presentZone(await addZone(ctx, caller, id, body, newId('zon'))),
  }),
  endpoint({
    route: 'PATCH /vendor/locations/{id}/zones/{zone_id}',
    name: 'updateLocationZone',
    tag,
    summary: 'Change the name or the area of a zone',
    description: 'Changes the fields that are sent, for new quotes and deliveries.',
    id: 'location',
    part: 'zone',
    body: ZoneChangesBody,
    reply: ZoneView,
    status: 200,
    run: async (ctx, { caller, id, part, body }) => presentZone(await changeZone(ctx, caller, id, part, body)),
  }),
  endpoint({
    route: 'DELETE /vendor/locations/{id}/zones/{zone_id}',
    name: 'deleteLocationZone',
    tag,
    summary: 'Remove a zone from a location',
    description: 'Removes the zone. A location without zones delivers to every place within its longest way.',
    id: 'location',
    part: 'zone',
    status: 204,
    run: (ctx, { caller, id, part }) => removeZone(ctx, caller, id, part),
  }),
];
