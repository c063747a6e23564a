// Fills a database with deliveries and their events as fast as it accepts them.
import type { Courier } from '../../src/domain/couriers/courier.ts';
import { isTerminal } from '../../src/domain/deliveries/lifecycle.ts';
import type { State } from '../../src/domain/deliveries/states.ts';
import { vendorWith, type Vendor } from '../../src/domain/vendors/vendor.ts';
import { newId } from '../../src/domain/ids.ts';
import { createClock } from '../../src/clock.ts';
import { deliveryRow } from '../../src/models/deliveries/delivery-rows.ts';
import { createLinks } from '../../src/models/deliveries/links.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { endsOn } from '../../src/engines/retention.ts';
import { loadSecrets } from '../../src/models/secrets/secrets.ts';
import { defaultSettings } from '../../src/settings.ts';
import { createRandom } from '../random.ts';
import { heardRow, insertRows } from '../stored/rows.ts';
import type { DemoFacts } from '../servers/fleet.ts';
import { historyOf, spanOf, type History, type Setting } from './histories.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { VENDORS } from '../../src/models/vendors/vendor-shapes.ts';

/** Some of the stored deliveries of each state, chosen evenly, for the requests. */
export type Stored = { readonly byState: ReadonlyMap<State, readonly StoredOne[]>; readonly courierId: string };
export type StoredOne = {
  readonly id: string;
  readonly count: number;
  readonly linkId: string;
  readonly createdAt: number;
};

const BATCH = 500;
/** Batches that the database writes at the same time. */
const AT_ONCE = 4;
const OTHER_VENDORS = 200;
const MOST_KEPT = 2000;
/** How many are scheduled for other days, wait for a courier, and are in transit. All others have ended. */
const SCHEDULED_SHARE = 0.02;
const MOST_SCHEDULED = 20_000;
const SEARCHED = 30;
const UNDER_WAY = 40;

/**
 * Stores this many deliveries through `db`, half of them for the demo's vendor. `db` must not have a timeout. The
 * servers on the database must not run meanwhile.
 */
export async function seedDeliveries(
  { mongo, db }: { readonly mongo: Mongo; readonly db: Mongo['db'] },
  facts: DemoFacts,
  deliveries: number,
  say: (line: string) => void,
): Promise<Stored> {
  const settings = defaultSettings();
  const clock = createClock();
  const vendors = [...Array.from({ length: OTHER_VENDORS }, aVendor), aVendor()];
  const courier = aCourier();
  await mongo.collection(VENDORS).insertMany(vendors.map((one) => ({ _id: one.id, ...one })));
  await mongo.collection(COURIERS).insertOne({ _id: courier.id, ...courier });
  const linkKey = (await loadSecrets(mongo, {})).linkKey;
  const links = createLinks({ linkKey, deliveries: { findByLink: async () => null }, clock, settings });
  const setting: Setting = {
    random: createRandom(1),
    center: facts.center,
    regionResolution: settings.dispatch.regionResolution,
    now: clock.now(),
    spanMs: spanOf(deliveries),
    makeLinks: () => links.make(1),
  };
  const ends = endsOn(clock, settings.retention.eventsMs);
  const kept = new Map<State, StoredOne[]>();
  const every = Math.ceil(deliveries / MOST_KEPT);
  const write = (histories: readonly History[]): Promise<unknown> => {
    const rows = histories.map(({ delivery }) => deliveryRow(delivery, settings));
    const events = histories.flatMap(({ delivery, events: own }) =>
      own.map((event) => heardRow(event, isTerminal(delivery.state) ? ends : null)),
    );
    return Promise.all([insertRows(db, 'deliveries', rows), insertRows(db, 'events', events)]);
  };
  let under: Promise<unknown>[] = [];
  for (let from = 0; from < deliveries; from += BATCH) {
    const histories: History[] = [];
    for (let count = from; count < Math.min(deliveries, from + BATCH); count += 1) {
      const state = stateOf(count, deliveries);
      const vendorId = count % 2 === 0 ? facts.vendor.id : vendors[count % vendors.length]!.id;
      const history = historyOf(setting, { state, vendorId: vendorId as Vendor['id'], count, courier });
      histories.push(history);
      const isRare = !['delivered', 'scheduled'].includes(state);
      if (count % 2 === 0 && (isRare || count % every === 0)) keep(kept, state, history, count);
    }
    under.push(write(histories));
    if (under.length >= AT_ONCE) under = await Promise.all(under).then(() => []);
    if ((from / BATCH) % 200 === 199) say(`${from + BATCH} of ${deliveries} stored`);
  }
  await Promise.all(under);
  return { byState: kept, courierId: courier.id };
}

function keep(kept: Map<State, StoredOne[]>, state: State, { delivery }: History, count: number): void {
  const own = kept.get(state) ?? [];
  if (own.length < MOST_KEPT) {
    const [link] = delivery.links;
    own.push({ id: delivery.id, count, linkId: link?.id ?? '', createdAt: delivery.times.createdAt });
  }
  kept.set(state, own);
}

/** The open ones come first. The others have ended: four in a hundred were canceled and two in a hundred failed. */
function stateOf(count: number, deliveries: number): State {
  if (count < SEARCHED) return 'searching';
  if (count < SEARCHED + UNDER_WAY) return 'in_transit';
  const scheduled = Math.min(MOST_SCHEDULED, Math.round(deliveries * SCHEDULED_SHARE));
  if (count < SEARCHED + UNDER_WAY + scheduled) return 'scheduled';
  const place = Math.floor(count / 2) % 50;
  if (place === 0) return 'failed';
  return place <= 2 ? 'canceled' : 'delivered';
}

function aVendor(): Vendor {
  const facts = { searchLimitMs: 900_000, maxDistanceM: 40_000, createdAt: 0 };
  return vendorWith({ id: newId('ven'), name: 'Corner Bakery', currency: 'EUR', accent: '#0b6e4f', ...facts });
}

function aCourier(): Courier {
  return {
    id: newId('cou'),
    liveMode: false,
    kind: 'courier',
    name: 'Grace Hopper',
    phone: '+4930999999',
    vehicleType: 'scooter',
    state: 'active',
    availability: 'offline',
    version: 1,
    active: [],
    capacity: 1,
    createdAt: 0,
    idleSinceAt: 0,
  };
}
