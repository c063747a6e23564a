// The figures that a server reports at GET /metrics.
export type ServerState = {
  readonly sockets: number;
  /** Sockets that receive positions. */
  readonly readers: number;
  readonly timers: number;
  /** Cumulative counts of the delays of its event loop since the start, by the upper bound of the bucket in ms. */
  readonly delays: ReadonlyMap<number, number>;
};

/** Reads the state of a server. @throws Error if it does not answer */
export async function readState(address: string): Promise<ServerState> {
  const answer = await fetch(`${address}/metrics`);
  if (!answer.ok) throw new Error(`GET /metrics answered ${answer.status}`);
  const text = await answer.text();
  return {
    sockets: sumOf(text, 'sockets_connected'),
    readers: sumOf(text, 'position_readers', 'state="all"'),
    timers: sumOf(text, 'nodejs_active_resources', 'type="Timeout"'),
    delays: bucketsOf(text, 'event_loop_delay_seconds'),
  };
}

/** The counts of a histogram's buckets by their upper bounds, which are in seconds there and in ms here. */
export function bucketsOf(text: string, name: string): ReadonlyMap<number, number> {
  const lines = [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\} (\\d+)$`, 'gmu'))];
  return new Map(lines.map(([, le, count]) => [le === '+Inf' ? Infinity : 1000 * Number(le), Number(count)]));
}

/** The 99th percentile of what came between two reads, rounded up to the bound of its bucket, ms. NaN if nothing came. */
export function p99Between(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  const came = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const);
  const all = came.at(-1)?.[1] ?? 0;
  return all === 0 ? NaN : (came.find(([, count]) => count >= 0.99 * all)?.[0] ?? NaN);
}

/** The sum of the values of a metric with this label. */
export function sumOf(text: string, name: string, label = ''): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.filter((line) => line.includes(label)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
