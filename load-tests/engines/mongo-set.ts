// A replica set of real mongods on this machine, whose members a run can demote, kill, cut off and start again.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { cacheDirOf } from '../../src/embedded/programs/cache.ts';
import { findMongod } from '../../src/embedded/programs/find-mongod.ts';
import { failCommits, resumeReplication, stopReplication, type CommitFailure } from './mongo-fail-points.ts';
import { isListening, LOOPBACK, onFreePort } from './ports.ts';
import { stopProcess } from '../../src/embedded/processes/processes.ts';
import { REPLICA_SET } from '../../src/embedded/replica-set.ts';
import type { Environment } from '../../src/embedded/processes/run.ts';
import { spawnEngine, type EngineProcess } from '../../src/embedded/processes/spawn-engine.ts';
import { waitFor } from '../../src/embedded/processes/wait.ts';
import { startWatchdog } from '../../src/embedded/processes/watchdog.ts';

export type MongoSetOptions = {
  /** An existing folder. Each member keeps its data and its log in a folder of its own below it. */
  readonly dir: string;
  /** PATH and HOME, to find mongod; MONGOD_BIN names one. */
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** The database that the URL names; `dispatch` by default. */
  readonly database?: string | undefined;
  /**
   * After this long without heartbeats, secondaries elect another primary; 3 s by default. A shorter time causes
   * needless elections on a busy machine.
   */
  readonly electionMs?: number;
};

/** Members are numbered from 0. They end when this process ends, however it ends. */
export type MongoSet = {
  /** Names all members. */
  readonly url: string;
  /** Waits for a member that takes writes, and gives its number. */
  waitForPrimary(): Promise<number>;
  /** Makes the primary step down, and waits for the next primary. Its connections for writing stay open. */
  stepDown(): Promise<number>;
  /** Ends a member by SIGKILL. */
  kill(member: number): Promise<void>;
  /**
   * Starts a killed member with the same port and data. Resolves when it answers, which may be before it is in sync.
   */
  start(member: number): Promise<void>;
  /** Makes the next commits of transactions fail in this way on the primary, until it is demoted or killed. */
  failCommits(times: number, failure: CommitFailure): Promise<void>;
  /** Makes every secondary stop fetching the log: the primary takes writes, and none of them reaches a majority. */
  stopReplication(): Promise<void>;
  /** Undoes `stopReplication` on every running member. */
  resumeReplication(): Promise<void>;
  /** Ends all members. The data stay. */
  stop(): Promise<void>;
};

const MEMBERS = 3;
/** How long each step may take on a busy machine. */
const PATIENCE_MS = 60_000;
const ASK_AGAIN_MS = 50;
export const ELECTION_MS = 3000;
const HEARTBEAT_MS = 500;
/** How long a primary that stepped down does not stand for election. */
const STEPPED_DOWN_S = 5;
/** The data of a run are not needed when it is over. */
const GRACE_MS = 0;

type Member = { readonly port: number; readonly client: mongo.MongoClient; engine: EngineProcess };

/**
 * Starts three members and waits for the first primary.
 * @throws EngineError when there is no mongod; Error when the set does not come up within 60 s
 */
export async function startMongoSet(options: MongoSetOptions): Promise<MongoSet> {
  const { bin } = await findMongod({ ...options, cacheDir: cacheDirOf(options.env), bin: options.env['MONGOD_BIN'] });
  const watchdog = startWatchdog(options.env);
  const members: Member[] = [];
  const launch = async (number: number, port: number): Promise<EngineProcess> => {
    const engine = await spawnMember(options, bin, number, port);
    watchdog.guard(engine.ref);
    await answers(engine, port);
    return engine;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(members.map(({ client }) => client.close()));
    await Promise.all(members.map(({ engine }) => stopProcess(engine.ref, GRACE_MS)));
    await watchdog.stop();
  };
  try {
    for (let number = 0; number < MEMBERS; number += 1) {
      const { port, engine } = await onFreePort((free) => launch(number, free));
      members.push({ port, engine, client: clientOf(port) });
    }
    await found(members, options.electionMs ?? ELECTION_MS);
    await waitForPrimary(members);
  } catch (error) {
    // Half a set is useless.
    await stop();
    throw error;
  }
  return { url: urlOf(members, options.database ?? 'dispatch'), stop, ...controlsOf(members, launch) };
}

function controlsOf(
  members: readonly Member[],
  launch: (number: number, port: number) => Promise<EngineProcess>,
): Omit<MongoSet, 'url' | 'stop'> {
  const memberAt = (number: number): Member => {
    const member = members[number];
    if (member === undefined) throw new Error(`there is no member ${number}`);
    return member;
  };
  return {
    waitForPrimary: () => waitForPrimary(members),
    stepDown: async () => {
      const { client } = memberAt(await waitForPrimary(members));
      await adminOf(client).command({ replSetStepDown: STEPPED_DOWN_S, force: true });
      return waitForPrimary(members);
    },
    kill: async (number) => {
      const { engine } = memberAt(number);
      await stopProcess(engine.ref, 0);
      await engine.end;
    },
    start: async (number) => {
      const member = memberAt(number);
      member.engine = await launch(number, member.port);
    },
    failCommits: async (times, failure) => failCommits(memberAt(await waitForPrimary(members)).client, times, failure),
    stopReplication: async () => {
      const primary = members[await waitForPrimary(members)];
      await stopReplication(primary?.client, clientsOf(await findMembers(members, 'secondary')));
    },
    resumeReplication: () => resumeReplication(clientsOf(members.filter(isUp))),
  };
}

async function spawnMember(
  { dir, env }: MongoSetOptions,
  bin: string,
  number: number,
  port: number,
): Promise<EngineProcess> {
  const home = join(dir, `member-${number}`);
  await mkdir(join(home, 'data'), { recursive: true });
  return spawnEngine({
    name: 'MongoDB',
    bin,
    args: [
      `--dbpath=${join(home, 'data')}`,
      `--bind_ip=${LOOPBACK}`,
      `--port=${port}`,
      `--replSet=${REPLICA_SET}`,
      '--nounixsocket',
      '--quiet',
      '--wiredTigerCacheSizeGB=0.25',
      '--oplogSize=256',
      '--setParameter=diagnosticDataCollectionEnabled=false',
      '--setParameter=transactionLifetimeLimitSeconds=6',
      // The fail points, by which replication stops.
      '--setParameter=enableTestCommands=1',
    ],
    cwd: home,
    logFile: join(home, 'mongod.log'),
    env,
  });
}

async function answers(engine: EngineProcess, port: number): Promise<void> {
  const listens = async (): Promise<boolean> => engine.ended() !== null || (await isListening(port));
  const isInTime = await waitFor(listens, PATIENCE_MS);
  if (engine.ended() === null && isInTime) return;
  await stopProcess(engine.ref, 0);
  throw new Error(`a mongod does not listen (${engine.ended() ?? 'too slow'}): see ${engine.logFile}`);
}

function clientOf(port: number): mongo.MongoClient {
  return new mongo.MongoClient(`mongodb://${LOOPBACK}:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1000,
    heartbeatFrequencyMS: HEARTBEAT_MS,
  });
}

function adminOf(client: mongo.MongoClient): mongo.Db {
  return client.db('admin');
}

function clientsOf(members: readonly Member[]): mongo.MongoClient[] {
  return members.map(({ client }) => client);
}

function isUp({ engine }: Member): boolean {
  return engine.ended() === null;
}

function urlOf(members: readonly Member[], database: string): string {
  const hosts = members.map(({ port }) => `${LOOPBACK}:${port}`).join(',');
  return `mongodb://${hosts}/${database}?replicaSet=${REPLICA_SET}`;
}

/** Initiates the set on empty members. */
async function found(members: readonly Member[], electionMs: number): Promise<void> {
  const [first] = members;
  if (first === undefined) throw new Error('a set has members');
  await adminOf(first.client).command({
    replSetInitiate: {
      _id: REPLICA_SET,
      members: members.map(({ port }, _id) => ({ _id, host: `${LOOPBACK}:${port}` })),
      settings: { electionTimeoutMillis: electionMs, heartbeatIntervalMillis: HEARTBEAT_MS },
    },
  });
}

async function waitForPrimary(members: readonly Member[]): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const [primary] = await findMembers(members, 'isWritablePrimary');
    if (primary !== undefined) return members.indexOf(primary);
    await pause(ASK_AGAIN_MS);
  }
  throw new Error(`the replica set has no primary after ${PATIENCE_MS} ms`);
}

/** The running members for which this is true. */
async function findMembers(members: readonly Member[], what: 'isWritablePrimary' | 'secondary'): Promise<Member[]> {
  const says = await Promise.all(members.map((member) => hello(member, what)));
  return members.filter((_member, index) => says[index]);
}

async function hello(member: Member, what: string): Promise<boolean> {
  try {
    return isUp(member) && (await adminOf(member.client).command({ hello: 1 }))[what] === true;
  } catch {
    // The member starts, ends or stalls just now, so it is asked again.
    return false;
  }
}
