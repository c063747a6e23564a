// Couriers who have logged in, some of them with a delivery under way, stored without the API.
import { createClock } from '../../src/clock.ts';
import type { Courier } from '../../src/domain/couriers/courier.ts';
import type { TrackingLink } from '../../src/domain/deliveries/delivery.ts';
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import { newId, type CourierId, type VendorId } from '../../src/domain/ids.ts';
import { createAccessTokens } from '../../src/models/access/sessions/access-tokens.ts';
import { SESSIONS, type SessionRow } from '../../src/models/access/credential-shapes.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { deliveryRow } from '../../src/models/deliveries/delivery-rows.ts';
import { DELIVERIES } from '../../src/models/deliveries/delivery-shape.ts';
import { EVENTS_LOG } from '../../src/models/deliveries/events/event-rows.ts';
import { defaultSettings } from '../../src/settings.ts';
import { createRandom } from '../random.ts';
import { historyOf, type History, type Setting } from '../store/histories.ts';
import { withCore, type Core, type Place } from './core.ts';
import { heardRow, insertRows } from './rows.ts';

/** A courier with their access token. `load` is what they carry. */
export type Member = { readonly courierId: CourierId; readonly token: string; readonly load: Load | null };
/** A delivery, and the token of its tracking link. */
type Load = { readonly deliveryId: string; readonly trackingToken: string };

export type CrewOptions = {
  readonly couriers: number;
  /** How many of them carry a delivery of this vendor. They are the first ones. */
  readonly carrying: number;
  readonly vendorId: VendorId;
  readonly homeOf: (index: number) => Coordinates;
};

const BATCH = 500;
const DAY_MS = 86_400_000;
/** The deliveries changed last so long ago that no dispatcher gets them when they join, ms. */
const AGE_MS = 3_600_000;
/** Pickups and drop-offs lie so far from the courier that the courier arrives nowhere, metres. */
const AWAY_M = 8000;

/** Stores them. The servers on the database must not run meanwhile. */
export function storeCrew(place: Place, options: CrewOptions): Promise<Member[]> {
  return withCore(place, async (core) => {
    const members: Member[] = [];
    const make = memberMaker(core, options);
    for (let from = 0; from < options.couriers; from += BATCH) {
      const size = Math.min(BATCH, options.couriers - from);
      const made = await Promise.all(Array.from({ length: size }, (_, index) => make(from + index)));
      await store(core, made);
      members.push(...made.map(({ member }) => member));
    }
    return members;
  });
}

type Made = {
  readonly member: Member;
  readonly courier: Courier;
  readonly session: SessionRow;
  readonly history: History | null;
};

function memberMaker({ parts, secrets }: Core, { carrying, vendorId, homeOf }: CrewOptions) {
  const { links } = parts;
  const settings = defaultSettings();
  const clock = createClock();
  const tokens = createAccessTokens(secrets.tokenPrivateJwk, clock);
  const common: Omit<Setting, 'center'> = {
    random: createRandom(3),
    regionResolution: settings.dispatch.regionResolution,
    now: clock.now() - AGE_MS,
    spanMs: DAY_MS,
    makeLinks: () => links.make(1),
  };
  return async (index: number): Promise<Made> => {
    const courier = aCourier(index);
    const session = aSession(courier, clock.real.now());
    const token = await tokens.issue(
      { type: 'courier', courierId: courier.id, liveMode: false, sessionId: session._id },
      DAY_MS / 1000,
    );
    const center = offsetBy(homeOf(index), AWAY_M, AWAY_M);
    const history =
      index < carrying
        ? dueTomorrow(historyOf({ ...common, center }, { state: 'in_transit', vendorId, count: index, courier }))
        : null;
    const load = history === null ? null : loadOf(history, (id) => links.tokenOf(id));
    const active = history === null ? [] : [history.delivery.id];
    return { member: { courierId: courier.id, token, load }, courier: { ...courier, active }, session, history };
  };
}

/** Gives the drop-offs a window until tomorrow, so that no delivery is late although it is old. */
function dueTomorrow({ delivery, events }: History): History {
  const readyAt = delivery.times.createdAt;
  const window = { readyAt, deadlineAt: readyAt + DAY_MS };
  return { delivery: { ...delivery, dropOffs: delivery.dropOffs.map((stop) => ({ ...stop, window })) }, events };
}

function loadOf({ delivery: { id, links } }: History, tokenOf: (linkId: TrackingLink['id']) => string): Load {
  const [link] = links;
  if (link === undefined) throw new Error(`delivery ${id} has no tracking link`);
  return { deliveryId: id, trackingToken: tokenOf(link.id) };
}

async function store({ mongo: { db } }: Core, made: readonly Made[]): Promise<void> {
  const couriers = made.map(({ courier }) => ({ _id: courier.id, ...courier }));
  const sessions = made.map(({ session }) => session);
  const histories = made.flatMap(({ history }) => history ?? []);
  const deliveries = histories.map(({ delivery }) => deliveryRow(delivery, defaultSettings()));
  const events = histories.flatMap(({ events: own }) => own.map((event) => heardRow(event, null)));
  await insertRows(db, COURIERS.name, couriers);
  await insertRows(db, SESSIONS.name, sessions);
  if (deliveries.length === 0) return;
  await insertRows(db, DELIVERIES.name, deliveries);
  await insertRows(db, EVENTS_LOG.name, events);
}

function aCourier(number: number): Courier {
  return {
    id: newId('cou'),
    liveMode: false,
    kind: 'courier',
    name: `Courier ${number}`,
    phone: `+4916${String(10_000_000 + number).padStart(9, '0')}`,
    vehicleType: 'scooter',
    state: 'active',
    availability: 'online',
    version: 1,
    active: [],
    capacity: 1,
    createdAt: 0,
    idleSinceAt: 0,
  };
}

function aSession({ id: courierId }: Courier, now: number): SessionRow {
  const endsOn = new Date(now + DAY_MS);
  const times = { rotatedAt: now, revokedAt: null, mostOn: endsOn, endsOn, createdAt: now };
  return { _id: newId('ses'), holder: { type: 'courier', courierId, liveMode: false }, counter: 1, ...times };
}
