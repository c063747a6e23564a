type MetricKind = 'counter' | 'gauge' | 'histogram';

type MetricRow = {
  readonly kind: MetricKind;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets in seconds, if the usual ones do not fit. */
  readonly bucketsS?: readonly number[];
};

/** Every metric of the server. The compiler refuses a name, a kind or a label that is not in this table. */
// One row per line: this is a table.
// oxfmt-ignore
export const METRICS = {
  event_loop_delay_seconds: { kind: 'histogram', help: 'Delay of the event loop: how late repeated tasks begin', labels: [] },
  http_request_seconds:     { kind: 'histogram', help: 'Time to answer a request', labels: ['route', 'status'] },
  position_fixes_total:     { kind: 'counter',   help: 'Position fixes that phones sent, by verdict', labels: ['verdict'] },
  positions_writes:         { kind: 'counter',   help: 'Ticks in which this process wrote positions', labels: [] },
  positions_redis_commands: { kind: 'counter',   help: 'Redis commands for positions, by kind', labels: ['kind'] },
  dispatch_run_seconds:     { kind: 'histogram', help: 'Time of one run of a region', labels: [] },
  dispatch_plan_seconds:    { kind: 'histogram', help: 'Time that the planning thread took for one run', labels: [] },
  dispatch_decisions_total: { kind: 'counter',   help: 'Runs that decided something, by how much of them was stored', labels: ['result'] },
  deliveries:               { kind: 'gauge',     help: 'Open deliveries of the whole installation; one process at a time reports them', labels: ['state', 'mode'] },
  deliveries_ended_total:   { kind: 'counter',   help: 'Deliveries that this process ended, by their last state', labels: ['state', 'mode'] },
  couriers_online:          { kind: 'gauge',     help: 'Couriers of the whole installation who are online, by kind', labels: ['mode', 'kind'] },
  alarms_open:              { kind: 'gauge',     help: 'Open alarms of the whole installation, by kind', labels: ['kind'] },
  webhook_backlog:          { kind: 'gauge',     help: 'Webhooks of the whole installation that are due now: events without attempts yet, and attempts', labels: ['stage'] },
  webhook_backlog_age_seconds: { kind: 'gauge',  help: 'How long the oldest webhook of the backlog has been due, service time', labels: ['stage'] },
  analytics_backlog:        { kind: 'gauge',     help: 'Ended deliveries and releases of the whole installation that the roll-ups have not counted yet', labels: [] },
  analytics_backlog_age_seconds: { kind: 'gauge', help: 'How long the oldest of these has waited, service time', labels: [] },
  dispatch_searching:       { kind: 'gauge',     help: 'Deliveries that search for a courier, by each region that this process leads', labels: ['region'] },
  offers_opened_total:      { kind: 'counter',   help: 'Offers opened, by the kind of their round', labels: ['round'] },
  offers_expired_total:     { kind: 'counter',   help: 'Offers that expired, by whether a phone had acknowledged them', labels: ['seen'] },
  offers_bettered_total:    { kind: 'counter',   help: 'Offers withdrawn because another courier was a much better match', labels: [] },
  offers_pushed_total:      { kind: 'counter',   help: 'Pushes for offers that no phone acknowledged, by result', labels: ['result'] },
  pushes_total:             { kind: 'counter',   help: 'Pushes to devices of couriers, by push service and result', labels: ['provider', 'result'] },
  prep_error_seconds:       { kind: 'histogram', help: 'Error of the expected ready time of goods, by the source of the estimate', labels: ['source', 'side'], bucketsS: [30, 60, 120, 180, 300, 450, 600, 900, 1200, 1800, 2700, 3600] },
  travel_legs_total:        { kind: 'counter',   help: 'Legs that couriers travelled, by whether the server learned from them', labels: ['verdict'] },
  travel_error_seconds:     { kind: 'histogram', help: 'Error of the expected travel time of a leg', labels: ['side'], bucketsS: [15, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1800] },
  travel_router_seconds:    { kind: 'histogram', help: 'Time in which the routing server answered a table, by result', labels: ['result'] },
  street_route_seconds:     { kind: 'histogram', help: 'Time in which the routing server answered a request for one route, by result', labels: ['result'] },
  street_table_seconds:     { kind: 'histogram', help: 'Time in which the routing server answered a table of the stops of one quote, by result', labels: ['result'] },
  streets_ready:            { kind: 'gauge',     help: '1 while this process has a routing server: TRAVEL_ROUTER_URL, or the Valhalla of STREETS_FILE if it answers', labels: [] },
  hints_sent_total:         { kind: 'counter',   help: 'Hints to idle couriers about where orders are expected', labels: [] },
  sockets_connected:        { kind: 'gauge',     help: 'Sockets of this process', labels: ['namespace'] },
  sockets_behind:           { kind: 'gauge',     help: 'Sockets that have not yet received all past events: new ones, and ones that catch up', labels: ['stage'] },
  sockets_closed_total:     { kind: 'counter',   help: 'Connections that the server closed, by reason', labels: ['reason'] },
  sockets_turned_away_total: { kind: 'counter',  help: 'Connections refused because their address had too many that did not authenticate', labels: [] },
  socket_handshakes_refused_total: { kind: 'counter', help: 'Refused handshakes, by code', labels: ['code'] },
  position_readers:         { kind: 'gauge',     help: 'Sockets that receive positions: all of them, and those that stopped acknowledging', labels: ['state'] },
  top_ups_settled_total:    { kind: 'counter',   help: 'Answers of payment gateways about top-ups, by what followed; suspend and distrust need a person', labels: ['gateway', 'result'] },
  reconciled_payments_total: { kind: 'counter',  help: 'Payments in the first comparison of each day with the ledger, by gateway and bucket; ours_only and theirs_only need a person', labels: ['gateway', 'bucket'] },
  reconciled_transfers_total: { kind: 'counter', help: 'Transfers in the first comparison of each day with the ledger, by gateway and bucket; ours_only and theirs_only need a person', labels: ['gateway', 'bucket'] },
  chargebacks_total:        { kind: 'counter',   help: 'Money that payment gateways took back after a credit, or returned, by cause and by what was booked', labels: ['gateway', 'cause', 'booked'] },
  suspense_alerts_total:    { kind: 'counter',   help: 'Complaints about money in suspense about which nobody has decided in time', labels: ['mode'] },
  ledger_check_age_seconds: { kind: 'gauge',     help: 'How long ago the last check of the whole ledger by a server began, service time', labels: [] },
  ledger_faults:            { kind: 'gauge',     help: 'Faults that the last check of the ledger found, and of which the log has the first; each needs a person', labels: [] },
  webhook_tries_total:      { kind: 'counter',   help: 'Tries to post a webhook, by result', labels: ['result'] },
  webhook_try_seconds:      { kind: 'histogram', help: 'Time of one try to post a webhook', labels: [] },
} as const satisfies Record<string, MetricRow>;

type Table = typeof METRICS;

/** The names of all metrics of this kind. */
export type MetricName<K extends MetricKind> = {
  [N in keyof Table]: Table[N]['kind'] extends K ? N : never;
}[keyof Table];

/** Exactly the labels of this metric; an empty object if it has none. */
export type LabelsOf<N extends keyof Table> = Table[N]['labels'] extends readonly []
  ? Readonly<Record<string, never>>
  : Readonly<Record<Table[N]['labels'][number], string>>;

/** The row of a metric with its name. */
export type NamedMetric = MetricRow & { readonly name: string };

/** All metrics of this kind. */
export function metricsOf(kind: MetricKind): NamedMetric[] {
  const rows: [string, MetricRow][] = Object.entries(METRICS);
  return rows.filter(([, row]) => row.kind === kind).map(([name, row]) => ({ ...row, name }));
}
