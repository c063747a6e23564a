import { randomBytes } from 'node:crypto';
import { mongo } from 'mongoose';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { testEngines } from '../engines.ts';

/**
 * Makes commands of the database fail. Only one test file may do so, because the server has one such fail point and
 * `heal` ends it for all. The name of the application limits it to connections with this name, which does not include
 * the one that sets it. `hasFailPoints` is false if the database has none.
 */
export async function openFailPoints(name: string) {
  const appName = `${name}-${randomBytes(4).toString('hex')}`;
  const client = await mongo.MongoClient.connect(testEngines(name).mongoUrl);
  afterAll(() => client.close());
  const set = (mode: object | 'off', data: object = {}): Promise<unknown> =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  const fail = (times: number, data: object): Promise<unknown> => set({ times }, { appName, ...data });
  const heal = (): Promise<unknown> => set('off');
  const hasFailPoints = await heal().then(
    () => true,
    () => false,
  );
  beforeEach(heal);
  afterEach(heal);
  return { appName, fail, heal, hasFailPoints };
}
