// A server on its own database with this many deliveries, and its clients.
import { join } from 'node:path';
import { mongo as mongodb } from 'mongoose';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { createLinks } from '../../src/models/deliveries/links.ts';
import { loadSecrets } from '../../src/models/secrets/secrets.ts';
import { createClock } from '../../src/clock.ts';
import { defaultSettings } from '../../src/settings.ts';
import { createApi, type Api } from '../clients/api.ts';
import { withDatabase } from '../engines/address.ts';
import { startFleet, type DemoFacts, type Fleet } from '../servers/fleet.ts';
import { staffSession } from '../clients/session.ts';
import { createRandom } from '../random.ts';
import type { Asked, Get } from './gets.ts';
import { seedDeliveries, type Stored } from './seed.ts';
import { QUIET } from '../quiet.ts';

export type Site = {
  readonly name: string;
  readonly deliveries: number;
  readonly mongo: Mongo;
  readonly api: Api;
  readonly facts: DemoFacts;
  readonly stored: Stored;
  readonly mongoUrl: string;
  readonly redisUrl: string;
  /** The start of its keys in Redis. */
  readonly prefix: string;
  /** The processes of the servers, by name. */
  pids(): ReadonlyMap<string, number>;
  /** Sends one request and returns its time in ms. @throws if the answer is not 200 */
  ask(get: Get): Promise<number>;
  close(): Promise<void>;
};

type Place = {
  readonly dir: string;
  readonly mongoUrl: string;
  readonly redisUrl: string;
  /** The cache of MongoDB, GiB. */
  readonly cacheGb: number;
  readonly servers: number;
};

/** Makes a database, fills it and starts servers on it. */
export async function openSite(
  name: string,
  deliveries: number,
  place: Place,
  say: (line: string) => void,
): Promise<Site> {
  const mongoUrl = withDatabase(place.mongoUrl, name);
  const prefix = `${name}:`;
  const start = (servers: number) =>
    startFleet({
      servers,
      dir: join(place.dir, name),
      mongoUrl,
      redisUrl: place.redisUrl,
      scale: 1,
      environment: { REDIS_PREFIX: prefix },
    });
  // The first start makes the collections, the secrets and the demo. No server runs while the log is filled.
  const first = await start(1);
  const { facts } = first;
  await first.stop();
  const mongo = await connectMongo(mongoUrl, QUIET);
  const cache = { setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${place.cacheGb}GB` };
  await mongo.db.admin().command(cache);
  const stored = await fill(mongo, mongoUrl, facts, deliveries, (line) => say(`${name}: ${line}`));
  const fleet = await start(place.servers);
  const api = createApi(fleet.addresses);
  const base = fleet.addresses[0] ?? '';
  const session = staffSession(api, facts.staff);
  const linkKey = (await loadSecrets(mongo, {})).linkKey;
  const none = { findByLink: async () => null };
  const links = createLinks({ linkKey, deliveries: none, clock: createClock(), settings: defaultSettings() });
  const asked: Asked = {
    random: createRandom(7),
    stored,
    facts,
    linkToken: (id) => links.tokenOf(id as `trk_${string}`),
  };
  return {
    name,
    deliveries,
    mongo,
    api,
    facts,
    stored,
    mongoUrl,
    redisUrl: place.redisUrl,
    prefix,
    pids: () => fleet.pids(),
    ask: (get) => askAs(get, name, base, facts, session, asked),
    close: closeOnce(mongo, fleet),
  };
}

/** Closes a site, also if it is asked to more than once: an interrupted bench closes it beside its own end. */
function closeOnce(mongo: Mongo, fleet: Fleet): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await mongo.close();
    await fleet.stop();
  };
  return () => (closing ??= close());
}

/** Sends the request as its caller. Returns the time in ms. */
async function askAs(
  get: Get,
  site: string,
  base: string,
  facts: DemoFacts,
  session: ReturnType<typeof staffSession>,
  asked: Asked,
): Promise<number> {
  const token = get.by === 'vendor' ? facts.vendor.api_key : get.by === 'staff' ? await session.token() : null;
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const path = get.pathOf(asked);
  const startedAt = performance.now();
  const answer = await fetch(base + path, { headers });
  const text = await answer.text();
  const tookMs = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${get.name} on ${site}: ${answer.status} ${text.slice(0, 300)}`);
  return tookMs;
}

/**
 * Stores the deliveries over a connection of its own. A server's connection gives up after 5 s, but a disk that writes
 * a million rows may take longer.
 */
async function fill(
  mongo: Mongo,
  mongoUrl: string,
  facts: Parameters<typeof seedDeliveries>[1],
  deliveries: number,
  say: (line: string) => void,
): ReturnType<typeof seedDeliveries> {
  const client = await mongodb.MongoClient.connect(mongoUrl);
  try {
    return await seedDeliveries({ mongo, db: client.db() }, facts, deliveries, say);
  } finally {
    await client.close();
  }
}
