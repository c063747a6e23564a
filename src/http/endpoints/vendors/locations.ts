import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { VendorLocation } from '../../../domain/vendors/vendor.ts';
import { addLocation, changeLocation, setReadiness, type LocationChanges } from '../../../vendors/edit-location.ts';
import { getLocation } from '../../../vendors/edit.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { vendorOf } from '../../owner.ts';
import {
  LocationChangesBody,
  LocationView,
  NewLocationBody,
  presentLocation,
  ReadinessBody,
} from '../../wire/vendors/location.ts';
import { VendorListQuery } from '../../wire/vendors/vendor.ts';
import { versionOf } from '../deliveries/deliveries.ts';

const tag = 'Vendor';

/** The locations of a vendor. */
export const LOCATIONS = [
  endpoint({
    route: 'GET /vendor/locations',
    name: 'listVendorLocations',
    tag,
    summary: 'List the storefronts and warehouses, newest first',
    description: 'Returns the locations of the vendor. Staff name the vendor.',
    query: VendorListQuery,
    reply: listOf(LocationView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const vendorId = vendorOf(caller, query.vendor_id);
      const scope = `locations ${vendorId}`;
      const page = await ctx.vendors.listLocations(vendorId, pageRequest(ctx.signer, scope, query));
      const now = ctx.clock.now();
      return listAnswer(
        ctx.signer,
        scope,
        url,
        mapPage(page, (location) => presentLocation(location, now)),
      );
    },
  }),
  endpoint({
    route: 'PATCH /vendor/locations/{id}/readiness',
    name: 'setLocationReadiness',
    tag,
    summary: 'Say whether a location takes pickups now; supports If-Match',
    description:
      'While a location is not ready, quotes and immediate creates there are refused with the reason ' +
      '`location_not_ready`. Deliveries that exist already go on, also those that still search for a courier. With ' +
      '`until` the location becomes ready by itself.',
    id: 'location',
    ifMatch: true,
    body: ReadinessBody,
    reply: LocationView,
    status: 200,
    run: async (ctx, { caller, id, body, ifMatch }) =>
      answerLocation(ctx, await setReadiness(ctx, caller, id, versionOf(ifMatch), body)),
  }),
  endpoint({
    route: 'POST /vendor/locations',
    name: 'createVendorLocation',
    tag,
    summary: 'Add a location to a vendor',
    description: 'Adds a storefront or a warehouse, which is ready and always open until hours are set.',
    body: NewLocationBody,
    reply: LocationView,
    status: 201,
    refuses: [404],
    run: async (ctx, { body, newId }) => {
      const location = await addLocation(ctx, body, newId('loc'));
      return answerLocation(ctx, location, { Location: `/vendor/locations/${location.id}` });
    },
  }),
  endpoint({
    route: 'GET /vendor/locations/{id}',
    name: 'getVendorLocation',
    tag,
    summary: 'Read a vendor location',
    description: 'Returns a location with its readiness.',
    id: 'location',
    reply: LocationView,
    status: 200,
    run: async (ctx, { caller, id }) => answerLocation(ctx, await getLocation(ctx, caller, id)),
  }),
  endpoint({
    route: 'PATCH /vendor/locations/{id}',
    name: 'updateVendorLocation',
    tag,
    summary: 'Change a location; supports If-Match',
    description:
      'Changes the fields that are sent, for new deliveries. A vendor may change `contact` and `instructions`; staff ' +
      'may change all fields.',
    id: 'location',
    ifMatch: true,
    body: LocationChangesBody,
    reply: LocationView,
    status: 200,
    run: async (ctx, { caller, id, body, ifMatch }) => {
      if (caller.type === 'vendor') {
        // A location that the vendor does not have is absent, whatever the body contains.
        await getLocation(ctx, caller, id);
        refuseForVendors(body);
      }
      return answerLocation(ctx, await changeLocation(ctx, caller, id, versionOf(ifMatch), body));
    },
  }),
];

/** The fields that vendors themselves may change, of those that the body can have. */
const OWN_FIELDS: readonly (keyof LocationChanges)[] = ['contact', 'instructions'];
const WIRE_NAMES: Partial<Record<keyof LocationChanges, string>> = {
  place: 'coordinates',
  maxDistanceM: 'max_distance_m',
};

function refuseForVendors(changes: LocationChanges): void {
  const others = (Object.keys(changes) as (keyof LocationChanges)[]).filter((field) => !OWN_FIELDS.includes(field));
  if (others.length === 0) return;
  const errors = others.map((field) => {
    const pointer = `/${WIRE_NAMES[field] ?? field}`;
    return { pointer, code: 'forbidden', message: `\`${pointer}\` must be left out: only staff may change it.` };
  });
  const detail = 'A vendor may change `contact` and `instructions` of a location. Staff change the other fields.';
  throw new Refusal('forbidden', { detail, errors });
}

function answerLocation(
  { clock }: Pick<HttpContext, 'clock'>,
  location: VendorLocation,
  headers: Record<string, string> = {},
): Answer<ReturnType<typeof presentLocation>> {
  const view = presentLocation(location, clock.now());
  return new Answer(view, { headers: { ...headers, ETag: `"${location.version}"` } });
}
