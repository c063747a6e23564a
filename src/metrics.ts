import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Metrics } from './ports/process.ts';

type Row = {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets in seconds, where the usual ones do not fit. */
  readonly bucketsS?: readonly number[];
};

/** Every metric of the server. A name that is not here is a mistake of ours and throws. */
// One row per line: this is a table.
// oxfmt-ignore
const METRICS: Record<string, Row> = {
  http_request_seconds:     { kind: 'histogram', help: 'Time to answer a request', labels: ['route', 'status'] },
  position_fixes_total:     { kind: 'counter',   help: 'Fixes that phones sent, by verdict', labels: ['verdict'] },
  positions_writes:         { kind: 'counter',   help: 'Ticks in which positions were written', labels: [] },
  positions_redis_commands: { kind: 'counter',   help: 'Redis commands for positions, by kind', labels: ['kind'] },
  dispatch_run_seconds:     { kind: 'histogram', help: 'Time of one run of a region', labels: [] },
  dispatch_plan_seconds:    { kind: 'histogram', help: 'Time of the plan within a run, in its own thread', labels: [] },
  dispatch_decisions_total: { kind: 'counter',   help: 'Runs that decided something, by what was kept of them', labels: ['result'] },
  deliveries:               { kind: 'gauge',     help: 'Open deliveries; told by one process at a time, as are all figures of the whole installation', labels: ['state', 'mode'] },
  deliveries_ended_total:   { kind: 'counter',   help: 'Deliveries that this process ended, by their last state', labels: ['state', 'mode'] },
  couriers_online:          { kind: 'gauge',     help: 'Couriers who are online, robo-couriers apart', labels: ['mode', 'kind'] },
  alarms_open:              { kind: 'gauge',     help: 'Alarms that are open, by kind', labels: ['kind'] },
  webhook_backlog:          { kind: 'gauge',     help: 'Webhooks that are due now: events without attempts yet, and attempts', labels: ['stage'] },
  webhook_backlog_age_seconds: { kind: 'gauge',  help: 'How long the oldest of them has been due, service time', labels: ['stage'] },
  dispatch_searching:       { kind: 'gauge',     help: 'Deliveries searched for in a region this process leads', labels: ['region'] },
  offers_opened_total:      { kind: 'counter',   help: 'Offers made, by round', labels: ['round'] },
  offers_expired_total:     { kind: 'counter',   help: 'Offers that ran out, by whether a phone had seen them', labels: ['seen'] },
  offers_bettered_total:    { kind: 'counter',   help: 'Offers taken back for a much better match', labels: [] },
  offers_pushed_total:      { kind: 'counter',   help: 'Pushes for offers that no phone acknowledged, by result', labels: ['result'] },
  prep_error_seconds:       { kind: 'histogram', help: 'How far the goods were ready from when it was expected, by where that came from', labels: ['source', 'side'], bucketsS: [30, 60, 120, 180, 300, 450, 600, 900, 1200, 1800, 2700, 3600] },
  travel_legs_total:        { kind: 'counter',   help: 'Legs that couriers made, by what they teach', labels: ['verdict'] },
  travel_error_seconds:     { kind: 'histogram', help: 'How far the time of a leg was from what was expected of it', labels: ['side'], bucketsS: [15, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1800] },
  travel_router_seconds:    { kind: 'histogram', help: 'Time in which the routing server answered a table, by result', labels: ['result'] },
  hints_sent_total:         { kind: 'counter',   help: 'Idle couriers told where they will be needed', labels: [] },
  sockets_connected:        { kind: 'gauge',     help: 'Sockets of this process', labels: ['namespace'] },
  sockets_behind:           { kind: 'gauge',     help: 'Sockets that are still told what was before: just let in, or catching up', labels: ['stage'] },
  sockets_closed_total:     { kind: 'counter',   help: 'Connections that the server closed, by why', labels: ['reason'] },
  sockets_turned_away_total: { kind: 'counter',  help: 'Connections not let in because others of their address did not authenticate', labels: [] },
  socket_handshakes_refused_total: { kind: 'counter', help: 'Refused handshakes, by code', labels: ['code'] },
  position_readers:         { kind: 'gauge',     help: 'Sockets that get positions, and those of them that stopped acknowledging', labels: ['state'] },
  webhook_tries_total:      { kind: 'counter',   help: 'Tries to post a webhook, by result', labels: ['result'] },
  webhook_try_seconds:      { kind: 'histogram', help: 'Time of one try', labels: [] },
};

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The process's metrics in a registry of their own, with the defaults of Node. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = makeAll('counter', (options) => new Counter({ ...options, registers: [registry] }));
  const gauges = makeAll('gauge', (options) => new Gauge({ ...options, registers: [registry] }));
  const timings = makeAll(
    'histogram',
    (options) => new Histogram({ ...options, registers: [registry], buckets: options.bucketsS }),
  );
  return {
    count: (name, labels = {}, by = 1) => pick(counters, name).inc(labels, by),
    gauge: (name, value, labels = {}) => {
      if (value === null) pick(gauges, name).remove(labels);
      else pick(gauges, name).set(labels, value);
    },
    observe: (name, seconds, labels = {}) => pick(timings, name).observe(labels, seconds),
    text: () => registry.metrics(),
  };
}

type Options = { name: string; help: string; labelNames: string[]; bucketsS: number[] };

function makeAll<M>(kind: Row['kind'], make: (options: Options) => M): ReadonlyMap<string, M> {
  const rows = Object.entries(METRICS).filter(([, row]) => row.kind === kind);
  const optionsOf = ([name, { help, labels, bucketsS = BUCKETS_S }]: [string, Row]): Options => {
    return { name, help, labelNames: [...labels], bucketsS: [...bucketsS] };
  };
  return new Map(rows.map((row) => [row[0], make(optionsOf(row))]));
}

function pick<M>(made: ReadonlyMap<string, M>, name: string): M {
  const metric = made.get(name);
  if (metric === undefined) throw new Error(`metric ${name} is not in the table, or is of another kind`);
  return metric;
}
