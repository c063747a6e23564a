/** Rows for every collection: many that no query requests, and a few that some query does. */
import { aRating } from '../analytics-rows.ts';
import { STATES } from '../../../src/domain/deliveries/states.ts';
import { CHANNELS, type Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { deliveryRow } from '../../../src/models/deliveries/delivery-rows.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { aDelivery, aLocation, anOffer, aQuote, aStop, aVendor, NOON } from '../../builders.ts';
import { aDevice } from '../../process/push/house.ts';
import { CLOCK, SETTINGS } from '../../engines/mongo-house.ts';
import { courierRow } from './courier-rows.ts';
import { documentRow } from './document-uses.ts';
import { FILE_ROWS } from '../files/a-file.ts';
import { DISPUTE_ROWS } from './dispute-uses.ts';
import { PAYOUT_ROWS } from './payout-uses.ts';
import { TOP_UP_ROWS } from './top-up-uses.ts';
import { SETTLEMENT_ROWS } from './settlement-uses.ts';
import { INVOICE_ROWS } from './invoice-uses.ts';
import { entryRow, LEDGER_ROWS } from './ledger-uses.ts';
import { ODD } from '../../odd-rows.ts';

export const ROWS = 20_000;
const EVENTS_EACH = 200;
const LATER = new Date(NOON + 400 * 86_400_000);

/** A vendor that owns half of all rows. */
export const VENDOR = newId('ven');
/** A courier and a member of staff with many sessions that have ended. */
export const SESSION_HOLDERS = { courierId: newId('cou'), email: 'ada@example.com' };
/** Registrations with many due attempts. */
export const REGISTRATIONS = Array.from({ length: 30 }, () => newId('whk'));
const REGIONS = Array.from({ length: 20 }, (_, at) => `region-${at}`);

/** Nine of ten deliveries are delivered. The rest is spread over the states. */
function delivery(at: number): Delivery {
  const now = CLOCK.now();
  const state = at % 10 === 0 ? (STATES[(at / 10) % STATES.length] ?? 'delivered') : 'delivered';
  const contact = { name: 'Ada', phone: `+4930${String(1_000_000 + (at % 3000)).padStart(7, '0')}` };
  const searchCountsFromAt = now - (at % 1200) * 1000;
  return aDelivery({
    state,
    vendorId: at % 2 === 0 ? VENDOR : newId('ven'),
    liveMode: at % 5 !== 0,
    channel: CHANNELS[at % 50 === 0 ? (at / 50) % CHANNELS.length : 0] ?? 'express',
    externalId: `order.${at % 500}`,
    region: REGIONS[at % REGIONS.length] ?? '',
    dropOffs: [aStop(1, { contact })],
    robo: at % 1000 === 0 ? { timeScale: 10 } : null,
    searchFromAt: at % 3 === 0 ? now - 1_200_000 : now + 86_400_000,
    searchCountsFromAt,
    searchUntilAt: now + 900_000,
    times: { createdAt: NOON + at * 1000, updatedAt: now - at * 100 },
  });
}

type Row = { readonly _id: string | number; readonly [field: string]: unknown };
const asRow = <T extends { readonly id: string }>(value: T): Row => ({ _id: value.id, ...value });
const plain =
  (prefix: string) =>
  (at: number): Row => ({ _id: `${prefix}:${at}`, endsOn: LATER });

/** Makes one row of each collection from its number. */
const MAKE: Record<string, (at: number) => Row> = {
  deliveries: (at) => ({ ...deliveryRow(delivery(at), SETTINGS) }),
  events: (at) => {
    // Each delivery has more events than a read of a few of them may read.
    const deliveryId = `del_${Math.floor(at / EVENTS_EACH)}`;
    const sequence = (at % EVENTS_EACH) + 1;
    const about = {
      id: newId('evt'),
      delivery_id: deliveryId,
      sequence,
      vendor_id: VENDOR,
      live_mode: true,
    };
    const created = new Date(NOON + at).toISOString();
    const webhooks = at % 40 === 0 ? 'due' : 'done';
    const type = at % 50 === 7 ? 'courier.assigned' : 'delivered';
    return { _id: `${deliveryId}:${sequence}`, ...about, type, created_at: created, webhooks };
  },
  claims: plain('fact'),
  couriers: (at) => courierRow(at),
  devices: () => asRow(aDevice()),
  documents: documentRow,
  vendors: () => asRow(aVendor()),
  locations: () => asRow(aLocation({ vendorId: VENDOR })),
  quotes: () => asRow(aQuote()),
  offers: (at) => asRow(anOffer({ region: REGIONS[at % REGIONS.length] ?? '', expiresAt: NOON + at })),
  offer_history: (at) => asRow(anOffer({ state: 'declined', closedAt: NOON + at, reason: null })),
  regions: (at) => ({ _id: `r${at}`, fence: at }),
  preparation: plain('preparation'),
  acceptance: plain('acceptance'),
  dispatch_runs: plain('run'),
  decisions: (at) => ({ _id: `d${at}`, deliveryId: `del_${at % 40}`, at, runId: `run_${at}`, endsOn: LATER }),
  travel: plain('travel'),
  alarms: (at) => {
    const id = newId('del');
    const about = { kind: 'late', deliveryId: id, courierId: null, since: NOON + at };
    return { _id: `late:${id}`, id: newId('alm'), ...about, clearedAt: at % 2 === 0 ? null : NOON };
  },
  settings: plain('setting'),
  secrets: plain('secret'),
  // All have ended: half of them were revoked, and the others have expired.
  vendor_keys: (at) => {
    const end = at % 2 === 0 ? { revokedAt: NOON + at } : { revokedAt: null, expiresAt: NOON + at };
    const owner = { vendorId: VENDOR, liveMode: true };
    return { _id: newId('key'), keyId: newId('key'), ...owner, createdAt: NOON + at, ...end, endsOn: LATER };
  },
  staff: (at) => ({ _id: `staff-${at}@example.com` }),
  sessions: (at) => {
    const { courierId, email } = SESSION_HOLDERS;
    const holder =
      at % 2 === 0
        ? { type: 'staff', email: at % 1000 === 0 ? `staff-${at}@example.com` : email }
        : { type: 'courier', courierId: at % 1000 === 1 ? newId('cou') : courierId, liveMode: true };
    const revokedAt = at % 1000 < 2 ? null : NOON + at;
    return { _id: newId('ses'), holder, counter: 1, revokedAt, endsOn: LATER };
  },
  one_time_codes: plain('code'),
  audit: (at) => ({
    _id: newId('aud'),
    at: NOON + at,
    actor: { type: 'staff', id: `stf_${at % 100}` },
    action: 'delivery.change',
    objectId: `del_${at % 1000}`,
    vendorId: at % 2 === 0 ? VENDOR : newId('ven'),
    liveMode: true,
    ...(at % 40 === 0 ? { due: true } : {}),
  }),
  audit_chain: (at) => ({ _id: at + 1, entryId: newId('aud'), hash: '' }),
  registrations: (at) => {
    const id = REGISTRATIONS[at] ?? newId('whk');
    const of = { vendorId: at < 15 ? VENDOR : newId('ven'), liveMode: true, createdAt: NOON + at };
    return { _id: id, ...of, url: 'https://example.com', events: ['*'], description: null, sealedSecret: '' };
  },
  roll_ups: (at) => {
    const date = new Date(NOON + (at % 92) * 86_400_000).toISOString().slice(0, 10);
    const of = { generation: 1, subject: 'endings', scope: at < 50 ? VENDOR : newId('ven'), date, part: `${at}` };
    return { _id: `1|${of.scope}|${at}`, ...of, sums: { delivered: 1 } };
  },
  ratings: (at) => {
    const rating = aRating({ vendorId: at < 50 ? VENDOR : newId('ven'), changedAt: NOON + at, createdAt: NOON + at });
    return { _id: rating.id, ...rating, state: at % 400 === 0 ? 'due' : 'done', counted: null };
  },
  attempts: (at) => {
    const registrationId = REGISTRATIONS[at % REGISTRATIONS.length];
    const of = { registrationId, attemptId: newId('att'), eventKey: `del_${at}:1`, eventId: newId('evt') };
    const state = at % 3 === 0 ? 'done' : 'due';
    const turn = Math.floor(at / REGISTRATIONS.length);
    const line = { deliveryId: `del_${Math.floor(turn / EVENTS_EACH)}`, sequence: (turn % EVENTS_EACH) + 1 };
    return { _id: `attempt:${at}`, ...of, line, state, dueAt: NOON + at, number: 0, claims: 0, log: [] };
  },
  ...FILE_ROWS,
  ...LEDGER_ROWS,
  ...INVOICE_ROWS,
  ...SETTLEMENT_ROWS,
  ...PAYOUT_ROWS,
  ...DISPUTE_ROWS,
  ...TOP_UP_ROWS,
  ledger_entries: (at) => ({ ...entryRow(at), vendorId: at % 2 === 0 ? VENDOR : newId('ven') }),
};

const BATCH = 2000;

/** Fills every collection with 20,000 rows. */
export async function fillAll({ db }: Mongo): Promise<void> {
  for (const [name, make] of Object.entries(MAKE)) {
    for (let from = 0; from < ROWS; from += BATCH) {
      const rows = Array.from({ length: BATCH }, (_, at) => make(from + at));
      await db.collection<Row>(name).insertMany(rows, { ordered: false, ...ODD });
    }
  }
}
