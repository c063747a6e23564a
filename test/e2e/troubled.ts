import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KillPoint } from '../../load-tests/servers/kill-at.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { ENTRIES } from '../../src/models/ledger/ledger-shapes.ts';
import { SANDBOX_PAYMENTS } from '../../src/models/sandbox/sandbox-shape.ts';
import { TOP_UPS } from '../../src/models/ledger/wallets/top-up-shape.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { call, type Answer, type Options } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const KILL_AT = pathToFileURL(path.resolve(import.meta.dirname, '../../load-tests/servers/kill-at.ts')).href;
/** The longest time for one step of a test, with the restart of a server in it. */
export const PATIENCE_MS = 120_000;

/** A server that dies, and its successor on the same database. */
export type Troubled = {
  /** Sends a request to the present server. If that one dies meanwhile, its successor gets the request. */
  readonly ask: (route: string, options: Options) => Promise<Answer>;
  /** Whether a server has died at the point. */
  readonly isReplaced: () => boolean;
  /** Stops the present server when it has nothing left to do for money, and reads what is stored. */
  readonly end: <T>(read: () => Promise<T>) => Promise<T>;
};

type Scene<T> = {
  readonly settings: Readonly<Record<string, string>>;
  /** Runs before a server that will die starts, on a server without trouble. */
  readonly prepare: (server: TestServer, mongo: Mongo) => Promise<T>;
};

/** A database with a demo, on which servers die one after the other. */
export type Scenery<T> = {
  readonly prepared: T;
  readonly demo: TestServer['demo'];
  readonly mongo: Mongo;
  /** Starts a server that dies at the point, and its successor as soon as it is dead. */
  readonly start: (point: KillPoint) => Promise<Troubled>;
};

/** Makes the demo, whose own money would reach the points, and prepares the database. */
export async function openScenery<T>(name: string, { settings, prepare }: Scene<T>): Promise<Scenery<T>> {
  const engines = testEngines(name);
  const mongo = await connectMongo(engines.mongoUrl, keptLog());
  const first = await startServer(engines, settings);
  await untilSettled(mongo);
  const prepared = await prepare(first, mongo);
  await first.stop();
  const start = async (point: KillPoint): Promise<Troubled> => {
    const env = { ...settings, NODE_OPTIONS: `--import ${KILL_AT}`, KILL_AT: JSON.stringify(point) };
    let server: TestServer = await startServer(engines, env);
    let isReplaced = false;
    const ask = async (route: string, options: Options): Promise<Answer> => {
      try {
        return await call(server.baseUrl, route, options);
      } catch (error) {
        if (isReplaced) throw error;
        isReplaced = true;
        server = await startServer(engines, settings);
        return ask(route, options);
      }
    };
    const end = async <R>(read: () => Promise<R>): Promise<R> => {
      // A seal that is left to do would reach the point of the next server.
      await untilSettled(mongo);
      await server.stop();
      return read();
    };
    return { ask, isReplaced: () => isReplaced, end };
  };
  return { prepared, demo: first.demo, mongo, start };
}

/** Waits until the money of the demo is in its wallet, all money is in the chain, and no top-up is left to look at. */
async function untilSettled(mongo: Mongo): Promise<void> {
  const entries = mongo.collection(ENTRIES);
  const topUps = mongo.collection(TOP_UPS);
  const payments = mongo.collection(SANDBOX_PAYMENTS);
  await until(async () => {
    const toppedUp = await entries.countDocuments({ kind: 'top_up' });
    const sealsLeft = await entries.countDocuments({ due: { $exists: true } });
    const looksLeft = await topUps.countDocuments({ dueAt: { $exists: true } });
    const noticesLeft = await payments.countDocuments({ noticeAt: { $exists: true } });
    return toppedUp > 0 && sealsLeft === 0 && looksLeft === 0 && noticesLeft === 0;
  }, PATIENCE_MS);
}
