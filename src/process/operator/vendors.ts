import { isId, newId, type Id, type Prefix } from '../../domain/ids.ts';
import {
  LocationChangesBody,
  NewLocationBody,
  presentLocation,
  ReadinessBody,
} from '../../http/wire/vendors/location.ts';
import { NewZoneBody, presentZone } from '../../http/wire/vendors/coverage.ts';
import { NewVendorBody } from '../../http/wire/vendors/vendor.ts';
import { addVendor as add } from '../../vendors/edit-account.ts';
import { addLocation as addTo, changeLocation as change, setReadiness as report } from '../../vendors/edit-location.ts';
import { addZone as addZoneTo, removeZone as removeZoneFrom } from '../../vendors/edit-zones.ts';
import { UsageError } from '../command-line.ts';
import { collect, given, readBody, readJson, readOptions, type Deed, type Field } from './command.ts';

/** The options that describe a location, and their fields in the body of `POST /vendor/locations`. */
// One row per line: this is a table.
// oxfmt-ignore
const LOCATION_FIELDS = {
  'name':           { at: ['name'] },
  'kind':           { at: ['kind'] },
  'lat':            { at: ['coordinates', 'lat'], isNumber: true },
  'lng':            { at: ['coordinates', 'lng'], isNumber: true },
  'address':        { at: ['address'] },
  'contact-name':   { at: ['contact', 'name'] },
  'contact-phone':  { at: ['contact', 'phone'] },
  'contact-email':  { at: ['contact', 'email'] },
  'instructions':   { at: ['instructions'], isCleared: true },
  'max-distance-m': { at: ['max_distance_m'], isNumber: true, isCleared: true },
} as const satisfies Record<string, Field>;
const LOCATION_OPTIONS = Object.keys(LOCATION_FIELDS) as (keyof typeof LOCATION_FIELDS)[];
const ZONE_FIELDS = { name: { at: ['name'] }, geojson: { at: ['geojson'] } } as const;
const READINESS_FIELDS = { until: { at: ['until'] } } as const;
const VENDOR_FIELDS = { name: { at: ['name'] }, currency: { at: ['currency'] } } as const;

/** Adds a vendor with one API key, of live mode with `--live`. */
export function addVendor(args: readonly string[]): Deed {
  const isLive = args.includes('--live');
  const options = readOptions(
    args.filter((arg) => arg !== '--live'),
    ['name', 'currency'],
  );
  given(options.name, '--name');
  const { name, currency } = readBody(NewVendorBody, VENDOR_FIELDS, options);
  return async ({ parts: core }) => {
    const { quotes, search } = core.settings;
    const account = { name, currency: currency ?? quotes.currency, searchLimitMs: search.limitMs };
    const vendor = await add(core, { ...account, maxDistanceM: search.maxDistanceM }, newId('ven'));
    const { key } = await core.credentials.addVendorKey(vendor.id, isLive);
    return { vendor_id: vendor.id, api_key: key };
  };
}

/** Adds a location to a vendor, ready and always open. */
export function addLocation(args: readonly string[]): Deed {
  const { vendor, ...described } = readOptions(args, ['vendor', ...LOCATION_OPTIONS]);
  const body = readBody(NewLocationBody, LOCATION_FIELDS, described, { vendor_id: idOf('ven', vendor, '--vendor') });
  return async ({ parts: core }) => {
    const location = await addTo(core, body, newId('loc'));
    return presentLocation(location, core.clock.now());
  };
}

/** Lists the locations of a vendor, newest first. */
export function listLocations(args: readonly string[]): Deed {
  const id = idOf('ven', readOptions(args, ['vendor']).vendor, '--vendor');
  return async ({ parts: { vendors, clock } }) => {
    await vendors.get(id);
    const { data, has_more } = await collect((page) => vendors.listLocations(id, page));
    return { data: data.map((location) => presentLocation(location, clock.now())), has_more };
  };
}

/** Changes the description of a location. */
export function changeLocation(args: readonly string[]): Deed {
  const { location, ...described } = readOptions(args, ['location', ...LOCATION_OPTIONS]);
  const id = idOf('loc', location, '--location');
  const changes = readBody(LocationChangesBody, LOCATION_FIELDS, described);
  if (Object.keys(changes).length === 0) throw new UsageError('At least one field to change must be given.');
  return async ({ parts: core }, me) => presentLocation(await change(core, me, id, null, changes), core.clock.now());
}

/** Says whether a location takes pickups now. */
export function setReadiness(args: readonly string[]): Deed {
  const { location, ready, until } = readOptions(args, ['location', 'ready', 'until']);
  const id = idOf('loc', location, '--location');
  const isReady = given(ready, '--ready');
  if (isReady !== 'yes' && isReady !== 'no') throw new UsageError('--ready must be yes or no.');
  const body = readBody(ReadinessBody, READINESS_FIELDS, { until }, { ready: isReady === 'yes' });
  return async ({ parts: core }, me) => presentLocation(await report(core, me, id, null, body), core.clock.now());
}

/** Adds a zone to a location, from a file with its GeoJSON. */
export function addZone(args: readonly string[]): Deed {
  const { location, name, geojson } = readOptions(args, ['location', 'name', 'geojson']);
  const id = idOf('loc', location, '--location');
  const file = given(geojson, '--geojson');
  return async ({ parts: core }, me) => {
    const body = readBody(NewZoneBody, ZONE_FIELDS, { name }, { geojson: await readJson(file) });
    return presentZone(await addZoneTo(core, me, id, body, newId('zon')));
  };
}

/** Removes a zone of a location. */
export function removeZone(args: readonly string[]): Deed {
  const { location, zone } = readOptions(args, ['location', 'zone']);
  const id = idOf('loc', location, '--location');
  const zoneId = idOf('zon', zone, '--zone');
  return async ({ parts: core }, me) => {
    await removeZoneFrom(core, me, id, zoneId);
    return { removed: zoneId };
  };
}

/** The id that an option names. */
function idOf<P extends Prefix>(prefix: P, value: string | undefined, option: string): Id<P> {
  const id = given(value, option);
  if (!isId(prefix, id)) throw new UsageError(`${option} must be an id that starts with ${prefix}_.`);
  return id;
}
