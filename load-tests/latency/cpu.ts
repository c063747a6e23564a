// The CPU time that requests cost the server, the engines and the client. Other work on the machine changes it less than it changes waits.
import { setTimeout as pause } from 'node:timers/promises';
import { engineChildren, readProcess } from '../servers/usage.ts';

/** The CPU time of one request, ms. */
export type Cpu = { readonly server: number; readonly engines: number; readonly client: number };

const US_PER_S = 1_000_000;

/** Runs requests and returns the result with the CPU time of each. */
export async function withCpu<T extends object>(
  servers: ReadonlyMap<string, number>,
  requests: number,
  run: () => Promise<T>,
): Promise<T & { readonly cpu: Cpu }> {
  const before = secondsOf(servers);
  const result = await run();
  const after = secondsOf(servers);
  const each = (who: keyof Cpu): number => ((after[who] - before[who]) * 1000) / requests;
  return { ...result, cpu: { server: each('server'), engines: each('engines'), client: each('client') } };
}

const LOOK_EVERY_MS = 1000;
/** The part of a core that each server and its share of the engines may use at rest. */
const REST = 0.1;
/** Looks in a row that must find the server at rest. */
const CALM_LOOKS = 5;
const MOST_LOOKS = 3600;

/**
 * Waits until the server and the engines are at rest. After a database was filled, the engines still write to the disk,
 * and a server that has just started reads what is open.
 * @throws Error if they do not rest within an hour
 */
export async function untilAtRest(servers: ReadonlyMap<string, number>): Promise<void> {
  let calm = 0;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const { cpu } = await withCpu(servers, 1, () => pause(LOOK_EVERY_MS, {}));
    calm = cpu.server + cpu.engines < servers.size * REST * LOOK_EVERY_MS ? calm + 1 : 0;
    if (calm === CALM_LOOKS) return;
  }
  throw new Error('the server and its engines were not at rest within an hour');
}

function secondsOf(servers: ReadonlyMap<string, number>): Cpu {
  const sum = (pids: Iterable<number>): number =>
    [...pids].reduce((total, pid) => total + (readProcess(pid)?.cpuS ?? 0), 0);
  const { user, system } = process.cpuUsage();
  return { server: sum(servers.values()), engines: sum(engineChildren().values()), client: (user + system) / US_PER_S };
}
