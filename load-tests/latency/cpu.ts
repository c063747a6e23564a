// The CPU time that requests cost the server, the engines and the client. Other work on the machine changes it less than it changes waits.
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

function secondsOf(servers: ReadonlyMap<string, number>): Cpu {
  const sum = (pids: Iterable<number>): number =>
    [...pids].reduce((total, pid) => total + (readProcess(pid)?.cpuS ?? 0), 0);
  const { user, system } = process.cpuUsage();
  return { server: sum(servers.values()), engines: sum(engineChildren().values()), client: (user + system) / US_PER_S };
}
