import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';
import type { OnboardCourier } from './dispatch/commands.ts';
import { plainly } from './embedded/processes/engine-error.ts';
import { makeFolder } from './embedded/processes/make-folder.ts';
import { onboardCourier, setCourierState } from './dispatch/couriers/onboard-courier.ts';
import { distanceM, offsetBy, type Coordinates } from './domain/geo/geo.ts';
import { newId } from './domain/ids.ts';
import { pricedVehicle } from './domain/deliveries/way.ts';
import { forgetSecrets } from './models/secrets/secret-hashes.ts';
import { DEFAULT_ACCENT, locationWith, vendorWith } from './domain/vendors/vendor.ts';
import type { PageMap } from './http/pages/page-map.ts';
import { randomBase62 } from './engines/base62.ts';
import { createDemoRows, type DemoRows } from './models/demo-rows.ts';
import type { Mongo } from './engines/mongo.ts';
import type { Context } from './ports/context.ts';
import type { Log, Stop } from './ports/process.ts';
import { fundDemo } from './process/fund-demo.ts';
import { openMap } from './process/map/open-map.ts';
import type { EngineUrls } from './process/open-engines.ts';
import { StartError } from './process/start-error.ts';
import type { DemoFacts } from './models/setting-shapes.ts';

/** In Vaduz, on the extract that the project ships. */
const CENTER: Coordinates = { lat: 47.13995, lng: 9.52093 };
/** The whole extract is nearer than this. */
const STREETS_WITHIN_M = 20_000;
const STREETS = path.resolve(import.meta.dirname, '..', 'examples', 'streets', 'liechtenstein-2015-07-27');
/** Machine time between two looks whether the route of the printed line is still in memory. */
const LOOK_AT_ROUTE_MS = 2000;
/** From the centre to a house in Schaan, the next town. */
const DROP_OFF = { eastM: -1131, northM: 2631, address: 'Wiesengass 21' };
const COURIERS = [
  { name: 'Ada Obi', phone: '+4237912301', vehicleType: 'bicycle' },
  { name: 'Ben Roth', phone: '+4237912302', vehicleType: 'scooter' },
  { name: 'Chi Lam', phone: '+4237912303', vehicleType: 'car' },
] as const;
const STAFF_EMAIL = 'dispatcher@demo.example';
/** In base62: 119 bits, and short enough to be typed. */
const PASSWORD_LENGTH = 20;
const LEASE_MS = 10_000;
const POLL_MS = 100;

/** Stops the start of a production server if its database contains the demo, whose accounts are public. */
export async function refuseDemo(mongo: Mongo): Promise<void> {
  if ((await createDemoRows(mongo).find()) === null) return;
  throw new StartError('This database contains the demo. Run `npm run operator -- remove-demo`, then start again.');
}

/**
 * Removes the demo with everything that belongs to it. Returns the number of removed rows by collection.
 * @throws an error if there is no demo, or if its couriers carry deliveries of other vendors
 */
export async function dropDemo(
  { audit, clock, credentials, ledger }: Pick<Context, 'audit' | 'clock' | 'credentials' | 'ledger'>,
  mongo: Mongo,
): Promise<Readonly<Record<string, number>>> {
  const rows = createDemoRows(mongo);
  const demo = await rows.find();
  if (demo === null) throw new Error('This database does not contain the demo. Nothing was removed.');
  const carried = await rows.listCarriedForOthers(demo.facts);
  if (carried.length > 0) {
    throw new Error(
      `Couriers of the demo carry deliveries of other vendors: ${carried.join(', ')}. Nothing was removed. ` +
        'Assign those deliveries to other couriers or cancel them first.',
    );
  }
  const { staff, couriers } = demo.facts;
  await credentials.endSessionsOf({ email: staff.email });
  for (const { id } of couriers) await credentials.endSessionsOf({ courierId: id });
  // The next server may have other secrets, and keys for it may be made before its start.
  await forgetSecrets(mongo);
  const about = { action: 'demo.remove', objectId: 'demo', vendorId: null, liveMode: null } as const;
  return rows.remove(demo.facts, { clock, ledger }, audit.draft({ ...about, changes: {} }));
}

/** The streets that the project ships: the extract for a Valhalla, and the map of it. */
export type DemoStreets = { readonly extract: string; readonly map: PageMap };

/**
 * The streets of the demo, if the settings leave them on and name no others. A demo of an earlier version is in another
 * city, and these streets would be in its way. Nobody has asked for them, so a file that is missing does not keep the server
 * from starting.
 */
export async function findDemoStreets(
  { around, settings }: Config,
  mongo: Mongo,
  log: Pick<Log, 'warn'>,
): Promise<DemoStreets | null> {
  const { DEMO_STREETS: demoStreets, STREETS_FILE: extract, MAP_TILES: tiles, MAP_STYLE_URL: style } = around;
  const hasOwn = [extract, tiles, style].some((name) => name !== undefined) || settings.travel.routerUrl !== '';
  if (demoStreets === 'off' || hasOwn) return null;
  const demo = await createDemoRows(mongo).find();
  if (demo !== null && distanceM(demo.facts.center, CENTER) > STREETS_WITHIN_M) return null;
  try {
    return { extract: `${STREETS}.osm.pbf`, map: await openMap({ MAP_TILES: `${STREETS}.pmtiles` }) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.warn({ why: error.message }, 'the demo has no streets; restore examples/streets, or set DEMO_STREETS=off');
    return null;
  }
}

/** Returns the demo of this database. The first process creates it, and the database keeps it. */
export async function ensureDemo(ctx: Context, mongo: Mongo): Promise<DemoFacts> {
  const rows = createDemoRows(mongo);
  for (;;) {
    const demo = await rows.find();
    if (demo !== null && !demo.isUnfinished) {
      // A demo of an earlier version has no money.
      await fundDemo(ctx, demo.facts.vendor.id);
      return demo.facts;
    }
    if ((await ctx.leases.tryHold('demo', LEASE_MS)) !== null) break;
    await ctx.clock.real.sleep(POLL_MS);
  }
  const facts = await makeDemo(ctx, rows);
  await ctx.leases.release('demo');
  return facts;
}

/** Stores the facts of the demo before it creates any row, so that all rows can be found if the process is killed. */
async function makeDemo(ctx: Context, rows: DemoRows): Promise<DemoFacts> {
  const facts = (await rows.find())?.facts ?? planDemo();
  await rows.keep({ facts, isUnfinished: true });
  await addVendor(ctx, facts);
  await fundDemo(ctx, facts.vendor.id);
  const staff = { ...facts.staff, roles: ['dispatcher', 'support', 'admin'] as const };
  if ((await ctx.credentials.addStaff(staff)) === null) await ctx.credentials.resetStaff(staff);
  const { key } = await ctx.credentials.addVendorKey(facts.vendor.id, false);
  const couriers = await Promise.all(
    // An earlier version may have begun this demo with other phones.
    COURIERS.map((one, index) => addCourier(ctx, { ...one, phone: facts.couriers[index]?.phone ?? one.phone })),
  );
  const made = { ...facts, vendor: { ...facts.vendor, api_key: key }, couriers };
  await rows.keep({ facts: made, isUnfinished: false });
  return made;
}

/** Onboarding gives couriers other ids. Until then they are identified by their phones. */
function planDemo(): DemoFacts {
  return {
    center: CENTER,
    vendor: { id: newId('ven'), api_key: '', location_id: newId('loc') },
    couriers: COURIERS.map(({ phone }) => ({ id: newId('cou'), phone })),
    staff: { email: STAFF_EMAIL, password: randomBase62(PASSWORD_LENGTH) },
  };
}

async function addVendor(ctx: Context, { center, vendor }: DemoFacts): Promise<void> {
  if ((await ctx.vendors.find(vendor.id)) === null) {
    const row = vendorWith({
      id: vendor.id,
      name: 'Demo Kitchen',
      currency: ctx.settings.quotes.currency,
      accent: DEFAULT_ACCENT,
      searchLimitMs: ctx.settings.search.limitMs,
      maxDistanceM: ctx.settings.search.maxDistanceM,
      createdAt: ctx.clock.now(),
    });
    await ctx.vendors.add(row);
  }
  if ((await ctx.vendors.findLocation(vendor.location_id)) !== null) return;
  const location = locationWith({
    id: vendor.location_id,
    vendorId: vendor.id,
    name: 'Demo Kitchen, Aeulestrasse',
    place: center,
    address: 'Aeulestrasse 20',
    contact: { name: 'Demo Kitchen', phone: '+4232301234' },
    isReady: true,
    createdAt: ctx.clock.now(),
  });
  await ctx.vendors.addLocation(location);
}

/** Adds a courier of the demo, or keeps the one that an unfinished earlier run has added. */
async function addCourier(
  ctx: Context,
  courier: Omit<OnboardCourier, 'liveMode'>,
): Promise<DemoFacts['couriers'][number]> {
  const known = await ctx.couriers.findByPhone(courier.phone, false);
  const { id } = known ?? (await onboardCourier(ctx, { ...courier, liveMode: false }));
  await setCourierState(ctx, { courierId: id, state: 'active' }, { type: 'system' });
  return { id, phone: courier.phone };
}

/**
 * Writes demo.json completely or not at all, so that readers never see half of it.
 * @param engines the engines that the server started itself, because only the server knows their addresses
 */
export async function writeDemo(
  dataDir: string,
  baseUrl: string,
  facts: DemoFacts,
  engines: EngineUrls | null,
): Promise<void> {
  const file = path.join(dataDir, 'demo.json');
  const addresses = engines === null ? {} : { mongo_url: engines.mongoUrl, redis_url: engines.redisUrl };
  const content = { base_url: baseUrl, console_url: `${baseUrl}/console`, ...addresses, ...facts };
  try {
    makeFolder(dataDir);
    await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    throw plainly(error, dataDir);
  }
}

/** Where the printed line orders a delivery to. */
function printedPlace({ center }: DemoFacts): Coordinates {
  const { lat, lng } = offsetBy(center, DROP_OFF.eastM, DROP_OFF.northM);
  return { lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)) };
}

/**
 * Keeps the route of the printed line in memory. A create without a quote never waits for a route, and the first delivery
 * that anybody sees should follow the streets. Returns the function that ends it.
 */
export function keepDemoRoute({ clock, streets }: Pick<Context, 'clock' | 'streets'>, facts: DemoFacts): Stop {
  const way = [facts.center, printedPlace(facts)];
  return clock.real.everyTogether(LOOK_AT_ROUTE_MS, () => void streets.route(way, pricedVehicle([])));
}

/** A shell command that creates a delivery for a robo-courier. */
export function demoCurl(baseUrl: string, facts: DemoFacts): string {
  const { vendor } = facts;
  const body = {
    pickup: { location_id: vendor.location_id },
    drop_off: [
      {
        coordinates: printedPlace(facts),
        address: DROP_OFF.address,
        contact: { name: 'Robin', phone: '+4237912399' },
      },
    ],
    test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 10 } },
  };
  return [
    `curl -s ${baseUrl}/express/deliveries`,
    `-H 'Authorization: Bearer ${vendor.api_key}' -H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' ');
}

/** A shell command that shows what the demo's vendor may spend. */
export function balanceCurl(baseUrl: string, { vendor }: DemoFacts): string {
  return `curl -s ${baseUrl}/wallets/balance -H 'Authorization: Bearer ${vendor.api_key}'`;
}
