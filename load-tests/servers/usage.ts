// Measures processes by /proc: CPU seconds and resident memory by name, across restarts.
import { readdirSync, readFileSync } from 'node:fs';

export type Usage = { readonly cpuS: number; readonly peakMb: number; readonly cpuShare: number };

export type UsageMeter = {
  /**
   * Looks at the processes now. Call it regularly, because the usage of a killed process after the last look is lost.
   */
  look(pids: ReadonlyMap<string, number>): void;
  /** CPU in seconds, its share of one core over the whole time, and the highest memory seen. */
  result(): Record<string, Usage>;
};

const TICKS_PER_S = 100;
const PAGE_BYTES = 4096;
const MB = 1_048_576;

/** A meter that starts now. */
export function createUsageMeter(): UsageMeter {
  const startedAt = performance.now();
  const byPid = new Map<number, { name: string; base: number; cpuS: number; peakMb: number }>();
  return {
    look(pids) {
      for (const [name, pid] of pids) {
        const now = readProcess(pid);
        if (now === null) continue;
        const known = byPid.get(pid) ?? { name, base: 0, cpuS: 0, peakMb: 0 };
        byPid.set(pid, { ...known, cpuS: now.cpuS, peakMb: Math.max(known.peakMb, now.mb) });
      }
    },
    result() {
      const wallS = (performance.now() - startedAt) / 1000;
      const usage: Record<string, Usage> = {};
      for (const { name, cpuS, peakMb } of byPid.values()) {
        const before = usage[name] ?? { cpuS: 0, peakMb: 0, cpuShare: 0 };
        const total = before.cpuS + cpuS;
        usage[name] = { cpuS: total, peakMb: Math.max(before.peakMb, peakMb), cpuShare: total / wallS };
      }
      return usage;
    },
  };
}

/** User and system seconds and resident MB of a process. Null if it has ended or there is no /proc. */
export function readProcess(pid: number): { cpuS: number; mb: number } | null {
  try {
    // The name in brackets may contain spaces, so the fields start after the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return { cpuS: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S, mb: (pages * PAGE_BYTES) / MB };
  } catch {
    // The process ended between two looks, or this system has no /proc.
    return null;
  }
}

/** The engines that this process has started, by program name. */
export function engineChildren(): Map<string, number> {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
    return new Map(pids.flatMap((pid) => engineOf(Number(pid))));
  } catch {
    // This system has no /proc, so the engines are not measured.
    return new Map();
  }
}

function engineOf(pid: number): [string, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    const isEngine = name.startsWith('mongod') || name.startsWith('redis') || name.startsWith('valkey');
    return isEngine && parent === process.pid ? [[name, pid]] : [];
  } catch {
    // Ended while the list was read.
    return [];
  }
}
