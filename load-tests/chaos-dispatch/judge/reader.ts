// The independent reader. It is connected to MongoDB itself, follows the commits, and reads what is left at the end.
import { setTimeout as pause } from 'node:timers/promises';
import { mongo as mongodb } from 'mongoose';
import type { Ledger, LoggedEvent, OpenedOffer } from './ledger.ts';
import type { Remains, StoredCourier, StoredDelivery, StoredOffer } from './verdict.ts';

export type Reader = {
  /** Waits until the ledger has every stored event. @returns how many are missing when it gives up */
  catchUp(): Promise<number>;
  /** Searches that began in a region before this moment of service time and are still open. */
  searching(region: string, before: number): Promise<number>;
  openOffers(): Promise<number>;
  remains(): Promise<Remains>;
  /** Why the stream of commits broke. Null while it runs. */
  broken(): string | null;
  close(): Promise<void>;
};

type EventRow = {
  readonly delivery_id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: {
    readonly to: string;
    readonly courier?: { readonly id: string };
    readonly actor: { readonly type: string };
  };
};

const OFFER_FIELDS = ['id', 'deliveryId', 'courierId', 'region', 'fence', 'isExclusive'];
const EVENT_FIELDS = ['delivery_id', 'sequence', 'type', 'data.to', 'data.courier.id', 'data.actor.type'];
const PATIENCE_MS = 20_000;
const LOOK_MS = 100;

/**
 * From now on, passes offers and events to the ledger in the order of their commits.
 * @param onOffer is called for every opened offer
 */
export async function openReader(
  mongoUrl: string,
  ledger: Ledger,
  onOffer: (offer: OpenedOffer) => void,
): Promise<Reader> {
  const client = await mongodb.MongoClient.connect(mongoUrl, { readConcern: { level: 'majority' } });
  const db = client.db();
  const wanted = [...OFFER_FIELDS, ...EVENT_FIELDS].map((name): [string, 1] => [`fullDocument.${name}`, 1]);
  const stream = db.watch([
    { $match: { 'ns.coll': { $in: ['offers', 'events'] }, operationType: { $in: ['insert', 'delete'] } } },
    { $project: { operationType: 1, ns: 1, documentKey: 1, ...Object.fromEntries(wanted) } },
  ]);
  let failure: string | null = null;
  stream.on('change', (change) => take(change, ledger, onOffer));
  stream.on('error', (error) => (failure = String(error)));
  // The stream is open from its first answer on, so nothing that is created later is missed.
  await new Promise<void>((resolve) => stream.once('resumeTokenChanged', () => resolve()));
  const events = db.collection<EventRow>('events');
  return {
    catchUp: async () => {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const missing = (await events.countDocuments()) - ledger.counts().events;
        if (missing === 0 || performance.now() > deadline) return missing;
        await pause(LOOK_MS);
      }
    },
    searching: (region, before) =>
      db.collection('deliveries').countDocuments({ region, state: 'searching', 'times.updatedAt': { $lt: before } }),
    openOffers: () => db.collection('offers').countDocuments(),
    remains: () => readRemains(db, ledger.oldLeaderOffers()),
    broken: () => failure,
    close: async () => {
      await stream.close();
      await client.close();
    },
  };
}

function take(change: mongodb.ChangeStreamDocument, ledger: Ledger, onOffer: (offer: OpenedOffer) => void): void {
  // A closed offer is removed from the collection of open ones.
  if (change.operationType === 'delete') ledger.offerClosed(String(change.documentKey._id));
  if (change.operationType !== 'insert') return;
  const row: unknown = change.fullDocument;
  if (change.ns.coll === 'events') return ledger.eventLogged(toLogged(row as EventRow));
  const offer = row as OpenedOffer;
  ledger.offerOpened(offer);
  onOffer(offer);
}

function toLogged({ delivery_id: deliveryId, sequence, type, data }: EventRow): LoggedEvent {
  return { deliveryId, sequence, type, to: data.to, courierId: data.courier?.id ?? null, by: data.actor.type };
}

async function readRemains(db: mongodb.Db, oldLeaderOffers: readonly string[]): Promise<Remains> {
  const fields = (...names: string[]) => ({
    projection: { _id: 0, ...Object.fromEntries(names.map((name) => [name, 1])) },
  });
  const [deliveries, events, accepted, couriers, openOffers, stayed] = await Promise.all([
    db
      .collection('deliveries')
      .find<StoredDelivery>({}, fields('id', 'externalId', 'state', 'sequence'))
      .toArray(),
    db
      .collection('events')
      .find<EventRow>({}, fields(...EVENT_FIELDS))
      .sort({ delivery_id: 1, sequence: 1 })
      .toArray(),
    db
      .collection('offer_history')
      .find<StoredOffer>({ state: 'accepted' }, fields('id', 'deliveryId', 'courierId'))
      .toArray(),
    db
      .collection('couriers')
      .find<StoredCourier>({}, fields('id', 'capacity', 'active'))
      .toArray(),
    db.collection('offers').countDocuments(),
    // An offer that was taken back at once leaves no trace. One that stayed was closed in some way.
    db
      .collection('offer_history')
      .find<StoredOffer>({ id: { $in: [...oldLeaderOffers] } }, fields('id', 'deliveryId', 'courierId'))
      .toArray(),
  ]);
  return { deliveries, events: events.map(toLogged), accepted, couriers, openOffers, stayed };
}
