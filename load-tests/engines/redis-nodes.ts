// Redis servers for tests and load tests: as many as a topology needs, in one folder. They end with this process.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { cacheDirOf } from '../../src/embedded/programs/cache.ts';
import { findRedis } from '../../src/embedded/programs/find-redis.ts';
import { LOOPBACK, onFreePort, PortTakenError } from './ports.ts';
import { stopProcess } from '../../src/embedded/processes/processes.ts';
import { spawnEngine, tailOf, type EngineProcess } from '../../src/embedded/processes/spawn-engine.ts';
import { waitFor } from '../../src/embedded/processes/wait.ts';
import { startWatchdog } from '../../src/embedded/processes/watchdog.ts';

/** One server on a loopback port that it keeps through every restart. */
export type RedisNode = {
  readonly name: string;
  readonly port: number;
  /** Sends one command, such as `('REPLICAOF', 'NO', 'ONE')`. @throws Error if the node is down or refuses it */
  command(...words: readonly (string | number)[]): Promise<unknown>;
  isRunning(): boolean;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Stops every answer while connections stay open (SIGSTOP). */
  freeze(): void;
  thaw(): void;
  /** Starts it again on its port with the files in its folder. Resolves when it answers. */
  restart(): Promise<void>;
};

export type RedisNodes = {
  /**
   * Starts one more server and waits until it answers.
   * @param argsOf returns the program's arguments; `busPort` is a second free port, for a node of a cluster
   */
  start(name: string, argsOf: (ports: NodePorts) => NodeArgs): Promise<RedisNode>;
  /** Ends every server. */
  stop(): Promise<void>;
};

export type NodePorts = { readonly port: number; readonly busPort: number; readonly dir: string };
type NodeArgs = readonly string[] | Promise<readonly string[]>;

const GRACE_MS = 2_000;
const ANSWER_MS = 30_000;

/** The arguments of a server that keeps everything in memory. */
export function inMemory({ port, dir }: NodePorts): string[] {
  // By default a replica waits for others before a full copy, which costs every test five seconds.
  return `--port ${port} --bind ${LOOPBACK} --dir ${dir} --daemonize no --appendonly no --repl-diskless-sync-delay 0`
    .split(' ')
    .concat('--save', '');
}

/**
 * Prepares to start servers with their files below `dir`.
 * @throws EngineError when no Redis of version 7.0 or newer is found
 */
export async function openRedisNodes(dir: string, say: (line: string) => void): Promise<RedisNodes> {
  const env = process.env;
  const { bin } = await findRedis({ env, cacheDir: cacheDirOf(env), say, bin: env['REDIS_BIN'] });
  const watchdog = startWatchdog(env);
  const engines = new Set<EngineProcess>();
  let isStopped = false;
  const launch = async (name: string, args: readonly string[], ports: NodePorts): Promise<EngineProcess> => {
    const logFile = join(ports.dir, `${name}.log`);
    const engine = await spawnEngine({ name: 'Redis', bin, args, cwd: ports.dir, logFile, env });
    watchdog.guard(engine.ref);
    engines.add(engine);
    // A run that fails may still be about to start one, which nobody would end.
    if (isStopped) {
      await stopProcess(engine.ref, GRACE_MS);
      throw new Error(`Redis "${name}" does not start, because the run has ended.`);
    }
    const isUp = await waitFor(() => engine.ended() !== null || answers(ports.port), ANSWER_MS);
    if (engine.ended() === null && isUp) return engine;
    if (tailOf(logFile).includes('Address already in use')) throw new PortTakenError(`port ${ports.port} is taken`);
    throw new Error(`Redis "${name}" did not start: see ${logFile}.`);
  };
  return {
    start: async (name, argsOf) => {
      const nodeDir = join(dir, name);
      await mkdir(nodeDir, { recursive: true, mode: 0o700 });
      const { engine: first } = await onFreePort(async (port) => {
        const begun = await onFreePort(async (busPort) => {
          const ports = { port, busPort, dir: nodeDir };
          const args = await argsOf(ports);
          return { args, ports, engine: await launch(name, args, ports) };
        });
        return begun.engine;
      });
      return nodeOf(name, first, () => launch(name, first.args, first.ports));
    },
    stop: async () => {
      isStopped = true;
      await Promise.all([...engines].map(({ ref }) => stopProcess(ref, GRACE_MS)));
      await watchdog.stop();
    },
  };
}

type Begun = { readonly ports: NodePorts; readonly engine: EngineProcess };

function nodeOf(name: string, { ports, engine: first }: Begun, launch: () => Promise<EngineProcess>): RedisNode {
  let engine = first;
  const isRunning = (): boolean => engine.ended() === null;
  const signal = (kind: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void => {
    if (isRunning()) process.kill(engine.ref.pid, kind);
  };
  return {
    name,
    port: ports.port,
    command: (...words) => commandOn(ports.port, words),
    isRunning,
    kill: async () => {
      signal('SIGKILL');
      await waitFor(() => !isRunning(), ANSWER_MS);
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    restart: async () => {
      engine = await launch();
    },
  };
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await commandOn(port, ['PING'])) === 'PONG';
  } catch {
    // It does not listen yet, or still loads its files.
    return false;
  }
}

async function commandOn(port: number, [name = '', ...args]: readonly (string | number)[]): Promise<unknown> {
  const options = { port, host: LOOPBACK, lazyConnect: true, enableReadyCheck: false, commandTimeout: 5_000 };
  const client = new Redis({ ...options, maxRetriesPerRequest: 0, retryStrategy: () => null });
  // The rejected command reports the same.
  client.on('error', () => undefined);
  try {
    return await client.call(String(name), ...args);
  } finally {
    client.disconnect();
  }
}
