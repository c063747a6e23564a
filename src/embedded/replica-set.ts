import type { mongo } from 'mongoose';
import { EngineError } from './processes/engine-error.ts';
import { nowMs, pause } from './processes/wait.ts';

export const REPLICA_SET = 'dispatch';

/** Errors of mongod while it reads its stored set, or while it is executing the same request already. */
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
 * Makes the mongod at this address a writable primary. On an empty directory it initiates the set. If the directory was
 * moved, the stored set has another address and is corrected by force, because its old members cannot agree.
 * @param host the path of its socket, as in the set
 * @param timeoutMs the timeout in milliseconds
 * @throws EngineError if there is no primary in time, or if mongod has ended
 */
export async function bringUpReplicaSet(host: string, timeoutMs: number, isUp: () => boolean): Promise<void> {
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(`mongodb://${encodeURIComponent(host)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
  });
  const admin = client.db('admin');
  const deadline = nowMs() + timeoutMs;
  let said = 'without a reason';
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
    // The set is not stored, or not read yet. In the second case the initiation is refused and repeated.
    if (error instanceof Error && 'codeName' in error && error.codeName === 'NotYetInitialized') return null;
    throw error;
  }
}

function isPassing(mongodb: typeof mongo, error: unknown): boolean {
  if (error instanceof mongodb.MongoNetworkError || error instanceof mongodb.MongoServerSelectionError) return true;
  return error instanceof mongodb.MongoServerError && NOT_YET.has(String(error.codeName));
}
