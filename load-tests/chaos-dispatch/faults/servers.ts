// The server processes of a run. A supervisor starts each one again that ends. They can be killed and frozen.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { refOf, stopProcess, type ProcessRef } from '../../../src/embedded/processes/processes.ts';
import { addressOf, freePort, whenFacts, whenReady, type DemoFacts } from '../../servers/fleet.ts';
import { fundVendor } from '../../servers/fund-vendor.ts';
import { unlimitedEnvironment } from '../../servers/no-limits.ts';

export type ServersOptions = {
  readonly servers: number;
  readonly dir: string;
  readonly mongoUrl: string;
  readonly redisUrl: string;
  readonly scale: number;
  /** The largest difference between the service clocks of two servers, service ms. */
  readonly skewMs: number;
  readonly guard: (ref: ProcessRef) => void;
};

export type Servers = {
  readonly addresses: readonly string[];
  readonly facts: DemoFacts;
  /** Those that are ready and not frozen. */
  awake(): number[];
  kill(index: number): void;
  freeze(index: number): void;
  thaw(index: number): void;
  /** Servers that ended by themselves after they had been ready. */
  readonly crashes: string[];
  /** Failed starts, for example without a Redis. Each was followed by another one. */
  failedStarts(): number;
  stop(): Promise<void>;
};

type Member = {
  readonly name: string;
  readonly port: number;
  readonly dir: string;
  child: ChildProcess | null;
  state: 'starting' | 'ready' | 'frozen' | 'killed';
};

/** The supervisor waits for this time before it starts a server again. */
const RESTART_AFTER_MS = 1000;
const STOP_MS = 10_000;
const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** The state of the supervisor besides its members. */
type Watched = { readonly crashes: string[]; failedStarts: number; isStopping: boolean };

/** Starts the servers and waits until each is ready. @throws Error that names the log */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const watched: Watched = { crashes: [], failedStarts: 0, isStopping: false };
  const members = await Promise.all(
    Array.from({ length: options.servers }, async (_, index): Promise<Member> => {
      const name = `server-${index + 1}`;
      const dir = join(options.dir, name);
      mkdirSync(dir, { recursive: true });
      return { name, port: await freePort(), dir, child: null, state: 'starting' };
    }),
  );
  const stop = async (): Promise<void> => {
    watched.isStopping = true;
    await Promise.all(members.map(end));
  };
  const signal = (index: number, name: NodeJS.Signals, state: Member['state']): void => {
    const member = members[index];
    if (member === undefined) return;
    member.state = state;
    member.child?.kill(name);
  };
  try {
    // The first server makes the database's secrets and demo, and the others find them.
    for (const member of members) await bringUp(options, member, watched);
    const facts = await whenFacts(join(options.dir, 'server-1', 'demo.json'));
    await fundVendor(options.mongoUrl, options.scale, facts.vendor.id);
    return {
      addresses: members.map(({ port }) => addressOf(port)),
      facts,
      awake: () => members.flatMap(({ state }, index) => (state === 'ready' ? [index] : [])),
      kill: (index) => signal(index, 'SIGKILL', 'killed'),
      freeze: (index) => signal(index, 'SIGSTOP', 'frozen'),
      thaw: (index) => {
        if (members[index]?.state === 'frozen') signal(index, 'SIGCONT', 'ready');
      },
      crashes: watched.crashes,
      failedStarts: () => watched.failedStarts,
      stop,
    };
  } catch (error) {
    // Servers that cannot start leave nothing behind.
    await stop();
    throw new Error(`a server did not start; its log is in ${options.dir}`, { cause: error });
  }
}

async function bringUp(options: ServersOptions, member: Member, watched: Watched): Promise<void> {
  member.state = 'starting';
  const child = launch(options, member);
  member.child = child;
  child.once('exit', () => void replace(options, member, watched));
  await whenReady(addressOf(member.port), () => child.exitCode === null && child.signalCode === null);
  if (member.child === child && member.state === 'starting') member.state = 'ready';
}

/** A server has ended, so another one takes its place, whatever the reason. */
async function replace(options: ServersOptions, member: Member, watched: Watched): Promise<void> {
  if (watched.isStopping) return;
  if (member.state === 'starting') watched.failedStarts += 1;
  else if (member.state !== 'killed') watched.crashes.push(`${member.name} ended by itself; see ${member.dir}/log`);
  member.state = 'killed';
  await pause(RESTART_AFTER_MS);
  if (watched.isStopping) return;
  // A start that takes too long is ended, and the end of any process leads here again.
  await bringUp(options, member, watched).catch(() => member.child?.kill('SIGKILL'));
}

function launch(options: ServersOptions, { port, dir }: Member): ChildProcess {
  const { servers, mongoUrl, redisUrl, scale, skewMs, guard } = options;
  const log = openSync(join(dir, 'log'), 'a');
  const skewedClock = pathToFileURL(join(ROOT, 'load-tests', 'servers', 'skewed-clock.ts')).href;
  const child = spawn(process.execPath, ['--import', skewedClock, join(ROOT, 'src', 'main.ts')], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      LOG_LEVEL: 'warn',
      DEMO_STREETS: 'off',
      ...unlimitedEnvironment(),
      PORT: String(port),
      DATA_DIR: dir,
      MONGO_URL: mongoUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: '',
      CLOCK_SCALE: String(scale),
      SEARCH_TEST_EXPIRES_AFTER_MS: '0',
      CHAOS_SKEWS_MS: skewsOf(servers, skewMs / scale).join(','),
    },
  });
  closeSync(log);
  const ref = child.pid === undefined ? null : refOf(child.pid);
  if (ref !== null) guard(ref);
  return child;
}

/** Evenly spread skews in machine ms. The service clock multiplies them by its scale. */
function skewsOf(servers: number, spreadMs: number): number[] {
  return Array.from({ length: servers }, (_, index) => Math.round(spreadMs * (index / Math.max(1, servers - 1) - 0.5)));
}

async function end({ child }: Member): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  // A frozen process reacts to no other signal.
  child.kill('SIGCONT');
  const ref = refOf(child.pid);
  if (ref !== null) await stopProcess(ref, STOP_MS);
}
