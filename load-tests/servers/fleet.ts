// The server processes of a run. They are started on fixed ports, killed without warning and started again.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unlimitedEnvironment } from './no-limits.ts';
import { topUp } from './top-up.ts';

export type FleetOptions = {
  readonly servers: number;
  /** Folder for the logs and the data of each server. */
  readonly dir: string;
  readonly mongoUrl: string;
  readonly redisUrl: string;
  readonly scale: number;
  /** More variables for the servers, such as settings. */
  readonly environment: Readonly<Record<string, string>>;
};

export type DemoFacts = {
  readonly center: { readonly lat: number; readonly lng: number };
  readonly vendor: { readonly id: string; readonly api_key: string; readonly location_id: string };
  readonly staff: { readonly email: string; readonly password: string };
};

export type Fleet = {
  readonly addresses: readonly string[];
  readonly facts: DemoFacts;
  /** Running processes by name. */
  pids(): ReadonlyMap<string, number>;
  /**
   * Kills a server with SIGKILL and starts it again on its port 2 s later. Resolves when it is ready.
   * @throws Error that names the log
   */
  kill(index: number): Promise<void>;
  signal(index: number, name: NodeJS.Signals): void;
  /** Asks a server to end with SIGTERM. Resolves with its exit code; null if a signal has ended it. */
  end(index: number): Promise<number | null>;
  /** The folder of each server. */
  readonly dirs: readonly string[];
  /** When each kill was made and when the server was ready again, performance.now(). */
  readonly outages: { readonly from: number; to: number | null }[];
  /** Servers that ended although they were not killed. */
  readonly crashes: string[];
  stop(): Promise<void>;
};

/** A killed server stays away for this time. */
export const RESTART_AFTER_MS = 2000;
const READY_MS = 60_000;
const POLL_MS = 50;
// A server gives up a stop after 30 s.
const STOP_MS = 32_000;
const MAIN = resolve(import.meta.dirname, '..', '..', 'src', 'main.ts');

type Member = {
  readonly name: string;
  readonly port: number;
  readonly dir: string;
  process: ChildProcess;
  /** Whether this process ends it. */
  isEnding: boolean;
};

/**
 * Starts the servers one after the other, waits until each is ready and tops up the wallet of the demo's vendor.
 * @throws Error that names the log
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const members: Member[] = [];
  let facts: DemoFacts | null = null;
  for (let index = 0; index < options.servers; index += 1) {
    const name = `server-${index + 1}`;
    const dir = join(options.dir, name);
    mkdirSync(dir, { recursive: true });
    const port = await freePort();
    const member = { name, port, dir, process: launch(options, dir, port), isEnding: false };
    members.push(member);
    try {
      await whenUp(member);
      if (facts !== null) continue;
      facts = await whenFacts(join(dir, 'demo.json'));
      await topUp(addressOf(port), facts.vendor.api_key);
    } catch (error) {
      // Servers that cannot start leave nothing behind.
      await stopAll(members);
      throw error;
    }
  }
  const first = members[0];
  if (first === undefined || facts === null) throw new Error('a run needs at least one server');
  const outages: { from: number; to: number | null }[] = [];
  const crashes: string[] = [];
  for (const member of members) watch(member, crashes);
  let isStopping = false;
  const bringBack = async (member: Member, outage: { to: number | null }): Promise<void> => {
    await pause(RESTART_AFTER_MS);
    if (isStopping) return;
    member.process = launch(options, member.dir, member.port);
    member.isEnding = false;
    watch(member, crashes);
    await whenUp(member);
    outage.to = performance.now();
  };
  return {
    addresses: members.map(({ port }) => addressOf(port)),
    facts,
    pids: () =>
      new Map(members.flatMap(({ name, process }) => (process.pid === undefined ? [] : [[name, process.pid]]))),
    dirs: members.map(({ dir }) => dir),
    signal: (index, name) => void members[index]?.process.kill(name),
    end: (index) => end(members[index % members.length] ?? first),
    kill: async (index) => {
      const member = members[index % members.length] ?? first;
      const outage = { from: performance.now(), to: null };
      outages.push(outage);
      member.isEnding = true;
      member.process.kill('SIGKILL');
      await bringBack(member, outage);
    },
    outages,
    crashes,
    stop: async () => {
      isStopping = true;
      await stopAll(members);
    },
  };
}

/** The facts of a development server, which it writes when it is ready. @throws Error if they do not appear */
export async function whenFacts(path: string): Promise<DemoFacts> {
  const deadline = performance.now() + READY_MS;
  while (!existsSync(path) && performance.now() < deadline) await pause(POLL_MS);
  return JSON.parse(readFileSync(path, 'utf8')) as DemoFacts;
}

function launch({ mongoUrl, redisUrl, scale, environment }: FleetOptions, dir: string, port: number): ChildProcess {
  const log = openSync(join(dir, 'log'), 'a');
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      // Each of them would build its own.
      DEMO_STREETS: 'off',
      ...unlimitedEnvironment(),
      ...environment,
      PORT: String(port),
      MONGO_URL: mongoUrl,
      REDIS_URL: redisUrl,
      CLOCK_SCALE: String(scale),
      // Simulated days are in test mode and faster than the clock of people.
      SEARCH_TEST_EXPIRES_AFTER_MS: '0',
      DATA_DIR: dir,
    },
  });
  closeSync(log);
  return child;
}

function watch(member: Member, crashes: string[]): void {
  const { process: child, name, dir } = member;
  child.once('exit', () => {
    if (member.process === child && !member.isEnding) crashes.push(`${name} ended by itself; see ${join(dir, 'log')}`);
  });
}

async function whenUp({ name, port, dir, process: child }: Member): Promise<void> {
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  await whenReady(addressOf(port), isRunning).catch((cause: unknown) => {
    // The reason is in the server's output, not in this one.
    throw new Error(`${name} did not become ready; its output is in ${join(dir, 'log')}`, { cause });
  });
}

/** Waits until a server is ready. @throws Error if it ends or takes longer than a minute */
export async function whenReady(address: string, isRunning: () => boolean): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline && isRunning()) {
    try {
      if ((await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) })).ok) return;
    } catch {
      // The server does not listen yet, so it is asked again.
    }
    await pause(POLL_MS);
  }
  throw new Error(`${address} did not become ready`);
}

/** Resolves with the exit code. */
async function end(member: Member): Promise<number | null> {
  member.isEnding = true;
  const ended = once(member.process, 'exit');
  member.process.kill('SIGTERM');
  return ((await ended) as [number | null])[0];
}

async function stopAll(members: readonly Member[]): Promise<void> {
  await Promise.all(
    members.map(async (member) => {
      const { process: child } = member;
      member.isEnding = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(force);
    }),
  );
}

/** The address of a server on this machine. */
export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
