import type { mongo } from 'mongoose';
import { EngineError } from './processes/engine-error.ts';
import { nowMs, pause } from './processes/wait.ts';

export const REPLICA_SET = 'dispatch';

/** What mongod answers while it is still reading its stored set, or already at what is asked of it. */
const NOT_YET = new Set([
  'AlreadyInitialized',
  'ConfigurationInProgress',
  'InterruptedDueToReplStateChange',
  'NewReplicaSetConfigurationIncompatible',
  'NotYetInitialized',
  'NotWritablePrimary',
  'NodeNotFound',
  'PrimarySteppedDown',
]);

type SetConfig = { version: number; members: { _id: number; host: string }[] };

/**
 * Makes the mongod at this address a writable primary. Founds the set on an empty directory. A stored set that names
 * another address, because the directory was moved, is put right by force: no majority of the old address can agree.
 * @param host the path of its socket, as it stands in the set
 * @param timeoutMs how long it may take, in milliseconds
 * @throws EngineError when there is no primary in time, or mongod is gone
 */
export async function bringUpReplicaSet(host: string, timeoutMs: number, isUp: () => boolean): Promise<void> {
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(`mongodb://${encodeURIComponent(host)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
  });
  const admin = client.db('admin');
  const deadline = nowMs() + timeoutMs;
  let said = 'it says nothing';
  try {
    while (isUp() && nowMs() < deadline) {
      try {
        if (await isReady(admin, host)) return;
      } catch (error) {
        if (!isPassing(mongoose.mongo, error)) throw error;
        said = error instanceof Error ? error.message : said;
      }
      await pause(20);
    }
  } finally {
    await client.close();
  }
  throw new EngineError(`MongoDB did not take writes within ${timeoutMs / 1_000} s (${said}).`);
}

async function isReady(admin: mongo.Db, host: string): Promise<boolean> {
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] === true) return hello['me'] === host;
  const config = await storedConfig(admin);
  if (config === null) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } else if (config.members.length !== 1 || config.members[0]?.host !== host) {
    const members = [{ ...config.members[0], _id: 0, host }];
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  }
  return false;
}

async function storedConfig(admin: mongo.Db): Promise<SetConfig | null> {
  try {
    const answer = await admin.command({ replSetGetConfig: 1 });
    return answer['config'] as SetConfig;
  } catch (error) {
    // No set is stored, or it is not read yet; founding one in the second case is refused and tried again.
    if (error instanceof Error && 'codeName' in error && error.codeName === 'NotYetInitialized') return null;
    throw error;
  }
}

function isPassing(mongodb: typeof mongo, error: unknown): boolean {
  if (error instanceof mongodb.MongoNetworkError || error instanceof mongodb.MongoServerSelectionError) return true;
  return error instanceof mongodb.MongoServerError && NOT_YET.has(String(error.codeName));
}
