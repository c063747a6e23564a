// The figures that a server reports at GET /metrics.
import { EVENT_LOOP } from '../../src/metrics.ts';

export type ServerState = {
  readonly sockets: number;
  /** Sockets that receive positions. */
  readonly readers: number;
  readonly timers: number;
  /** The 99th percentile of the delays of its event loop since the last read, ms. */
  readonly delayP99Ms: number;
};

/** Reads the state of a server. The delays of its event loop then begin again. @throws Error if it does not answer */
export async function readState(address: string): Promise<ServerState> {
  const answer = await fetch(`${address}/metrics`);
  if (!answer.ok) throw new Error(`GET /metrics answered ${answer.status}`);
  const text = await answer.text();
  const lagMs = 1000 * sumOf(text, 'nodejs_eventloop_lag_p99_seconds');
  return {
    sockets: sumOf(text, 'sockets_connected'),
    readers: sumOf(text, 'position_readers', 'state="all"'),
    timers: sumOf(text, 'nodejs_active_resources', 'type="Timeout"'),
    // The metric is the time between two measurements, and each waits for this long.
    delayP99Ms: Math.max(0, lagMs - EVENT_LOOP.eventLoopMonitoringPrecision),
  };
}

/** The sum of the values of a metric with this label. */
export function sumOf(text: string, name: string, label = ''): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.filter((line) => line.includes(label)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
