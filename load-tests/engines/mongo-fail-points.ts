// Fail points of mongods, by which replication stops and commits fail. They need enableTestCommands.
import type { mongo } from 'mongoose';

/** How long a member may take to meet a fail point on a busy machine. */
const PATIENCE_MS = 60_000;
const STOPPED = 'stopReplProducer';

/**
 * Ways in which the commit of a transaction fails: the connection closes before it, the server refuses it, or it is
 * written and the server does not know whether a majority has it.
 */
export const COMMIT_FAILURES = {
  'closed connection': { closeConnection: true },
  'refused commit': { errorCode: 91, errorLabels: ['UnknownTransactionCommitResult'] },
  'doubtful commit': { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
} as const;
export type CommitFailure = keyof typeof COMMIT_FAILURES;

/** Makes the next commits of a member fail in this way. Counts start again with each call. */
export async function failCommits(member: mongo.MongoClient, times: number, failure: CommitFailure): Promise<void> {
  const data = { failCommands: ['commitTransaction'], ...COMMIT_FAILURES[failure] };
  await adminOf(member).command({ configureFailPoint: 'failCommand', mode: { times }, data });
}

/** A member is stopped when it has met the fail point, which it does at the next entry of the log. */
export async function stopReplication(
  primary: mongo.MongoClient | undefined,
  secondaries: readonly mongo.MongoClient[],
): Promise<void> {
  await Promise.all(
    secondaries.map(async (member) => {
      const { count } = await adminOf(member).command({ configureFailPoint: STOPPED, mode: 'alwaysOn' });
      if (primary === undefined) return;
      const note = { appendOplogNote: 1, data: { stops: STOPPED }, writeConcern: { w: 1 } };
      await adminOf(primary).command(note);
      const met = { waitForFailPoint: STOPPED, timesEntered: Number(count) + 1, maxTimeMS: PATIENCE_MS };
      await adminOf(member).command(met);
    }),
  );
}

/** Undoes `stopReplication`. */
export async function resumeReplication(members: readonly mongo.MongoClient[]): Promise<void> {
  await Promise.all(members.map((member) => adminOf(member).command({ configureFailPoint: STOPPED, mode: 'off' })));
}

function adminOf(member: mongo.MongoClient): mongo.Db {
  return member.db('admin');
}
