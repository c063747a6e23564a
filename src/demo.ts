import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EngineUrls } from './core.ts';
import { onboardCourier, setCourierState } from './dispatch/onboard-courier.ts';
import { offsetBy, type Coordinates } from './domain/geo.ts';
import { newId, type CourierId } from './domain/ids.ts';
import type { Mongo } from './models/mongo.ts';
import type { Context } from './ports.ts';

/** What `.data/demo.json` tells: enough to try everything on this server. Keys are wire form. */
export type DemoFacts = {
  center: Coordinates;
  vendor: { id: string; api_key: string; location_id: string };
  couriers: { id: string; phone: string }[];
  staff: { email: string; password: string };
};

type DemoRow = { _id: string; facts: DemoFacts };

const CENTER: Coordinates = { lat: 52.5206, lng: 13.4049 };
const COURIERS = [
  { name: 'Ada Obi', phone: '+4915112345601', vehicleType: 'bicycle' },
  { name: 'Ben Roth', phone: '+4915112345602', vehicleType: 'scooter' },
  { name: 'Chi Lam', phone: '+4915112345603', vehicleType: 'car' },
] as const;
const STAFF = { email: 'dispatcher@demo.example', password: 'demo-dispatcher' } as const;
const LEASE_MS = 10_000;
const POLL_MS = 100;

/** The demo of this database: made once, by the first process that gets to it, and kept there. */
export async function ensureDemo(ctx: Context, mongo: Mongo): Promise<DemoFacts> {
  const rows = mongo.collection<DemoRow>('settings');
  for (;;) {
    const row = await rows.findOne({ _id: 'demo' });
    if (row !== null) return row.facts;
    if ((await ctx.leases.tryHold('demo', LEASE_MS)) !== null) break;
    await ctx.clock.real.sleep(POLL_MS);
  }
  const facts = await makeDemo(ctx);
  await rows.insertOne({ _id: 'demo', facts });
  await ctx.leases.release('demo');
  return facts;
}

async function makeDemo(ctx: Context): Promise<DemoFacts> {
  const vendor = {
    id: newId('ven'),
    name: 'Demo Kitchen',
    currency: ctx.settings.quotes.currency,
    accent: '#0b6e4f',
    searchLimitMs: ctx.settings.search.limitMs,
    maxDistanceM: ctx.settings.search.maxDistanceM,
    createdAt: ctx.clock.now(),
  };
  await ctx.vendors.add(vendor);
  const location = {
    id: newId('loc'),
    vendorId: vendor.id,
    name: 'Demo Kitchen, Market Square',
    place: CENTER,
    address: 'Market Square 1',
    contact: { name: 'Demo Kitchen', phone: '+493012345670' },
    isReady: true,
  };
  await ctx.vendors.addLocation(location);
  const { key } = await ctx.credentials.addVendorKey(vendor.id, false);
  await ctx.credentials.addStaff({ ...STAFF, roles: ['dispatcher', 'support', 'admin'] });
  const couriers = await Promise.all(COURIERS.map((courier) => addCourier(ctx, courier)));
  return {
    center: CENTER,
    vendor: { id: vendor.id, api_key: key, location_id: location.id },
    couriers,
    staff: { ...STAFF },
  };
}

/** A demo that was cut short is taken up again: a courier who is there already is kept. */
async function addCourier(ctx: Context, courier: (typeof COURIERS)[number]): Promise<{ id: CourierId; phone: string }> {
  const known = await ctx.couriers.findByPhone(courier.phone, false);
  const { id } = known ?? (await onboardCourier(ctx, { ...courier, liveMode: false }));
  await setCourierState(ctx, { courierId: id, state: 'active' }, { type: 'system' });
  return { id, phone: courier.phone };
}

/**
 * Writes demo.json whole or not at all, so that a reader never sees half of it.
 * @param engines those that the server started itself: nobody else could know on which ports they listen this time
 */
export async function writeDemo(
  dataDir: string,
  baseUrl: string,
  facts: DemoFacts,
  engines: EngineUrls | null,
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, 'demo.json');
  const addresses = engines === null ? {} : { mongo_url: engines.mongoUrl, redis_url: engines.redisUrl };
  const content = { base_url: baseUrl, console_url: `${baseUrl}/console`, ...addresses, ...facts };
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** The line that, pasted into a shell, creates a delivery which a robo-courier carries out. */
export function demoCurl(baseUrl: string, { vendor, center }: DemoFacts): string {
  const place = offsetBy(center, 1200, 700);
  const body = {
    pickup: { location_id: vendor.location_id },
    drop_off: [
      {
        coordinates: { lat: Number(place.lat.toFixed(5)), lng: Number(place.lng.toFixed(5)) },
        address: 'Garden Street 12',
        contact: { name: 'Robin', phone: '+4915112345699' },
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
