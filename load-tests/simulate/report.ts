// The figures of a run and the sentences that make it fail.
import type { Day, Order } from '../day/day.ts';
import { judgeDispatch, RECOVERY_MS, type DispatchFigures, type DispatchMaterial } from './figures/dispatch-figures.ts';
import { judgeArrivals, type Arrivals } from './figures/arrivals.ts';
import { judgeMoney, type MoneyFigures } from './figures/money.ts';
import type { MoneyRead } from './figures/read-money.ts';
import type { RunOptions } from './options.ts';
import type { Received } from './people/receiver.ts';
import type { Cast } from './people/cast.ts';
import type { World } from './people/world.ts';
import { percentileMs } from '../statistics.ts';
import type { Outage } from '../servers/trouble.ts';
import type { TrueDelivery } from './figures/truth.ts';
import type { Usage } from '../servers/usage.ts';
import {
  compareSights,
  compareWebhooks,
  countDoubleAssignments,
  countHoles,
  judgeOrders,
  type Outcome,
  type Sight,
  type SightCount,
  type WebhookCount,
} from './figures/verdict.ts';

export type Material = Pick<DispatchMaterial, 'crew' | 'decisions' | 'settings' | 'played'> & {
  readonly options: RunOptions;
  readonly day: Day;
  readonly cast: Cast;
  readonly truth: readonly TrueDelivery[];
  /** Null if the run cannot reach the database. */
  readonly money: MoneyRead | null;
  readonly refused: readonly Order[];
  readonly usage: Readonly<Record<string, Usage>>;
  /** When killed servers were down, and when engines were. */
  readonly kills: readonly Outage[];
  readonly enginesAway: readonly Outage[];
  /** Servers that ended although they were not killed. */
  readonly crashes: readonly string[];
  /** performance.now() of the start. */
  readonly startedAt: number;
};

export type Report = {
  readonly options: RunOptions;
  readonly orders: number;
  readonly couriers: number;
  readonly refused: number;
  readonly outcome: Outcome;
  readonly arrivals: Arrivals;
  readonly dispatch: DispatchFigures;
  readonly offers: { made: number; accepted: number; declined: number; expired: number; taken: number };
  /** Null if the run cannot reach the database. */
  readonly money: MoneyFigures | null;
  readonly doubleAssignments: number;
  readonly eventsCommitted: number;
  readonly vendorSocket: SightCount & { outOfOrder: number; duplicates: number; gaps: number; reconnects: number };
  /** `mute` are those that never received anything, and `refused` the recipients whose link was refused. */
  readonly trackSockets: SightCount & {
    sockets: number;
    mute: number;
    refused: number;
    outOfOrder: number;
    duplicates: number;
    gaps: number;
  };
  readonly webhooks: WebhookCount & { badSignatures: number };
  readonly fixesPerS: number;
  readonly fixes: number;
  readonly pingAckMs: { p50: number; p99: number };
  readonly positionLagMs: { p50: number; p99: number; frames: number };
  readonly kills: number;
  /** Answers with status 500: the request and its id. */
  readonly serverErrors: readonly string[];
  readonly restRetries: number;
  readonly actionsRetried: number;
  readonly lost: number;
  readonly surprises: Record<string, number>;
  readonly usage: Readonly<Record<string, Usage>>;
  readonly wallS: number;
  /** Empty if the run is good. */
  readonly problems: readonly string[];
};

/** Judges a finished run. */
export function makeReport(material: Material): Report {
  const { options, day, cast, truth, refused, usage, kills, enginesAway, startedAt } = material;
  const outages = [...kills, ...enginesAway];
  const { world, receiver, watchers } = cast;
  const { tally } = world;
  const wallS = (performance.now() - startedAt) / 1000;
  const tracked = watchers.watched.map(({ reader }) => reader);
  const figures: Omit<Report, 'problems'> = {
    options,
    orders: day.orders.length,
    couriers: day.couriers.length,
    refused: refused.length,
    outcome: judgeOrders(truth, world.toService),
    arrivals: judgeArrivals(truth, { driven: tally.driven, readyAt: (one) => world.toService(one.order.readyMin) }),
    dispatch: judgeDispatch({ ...material, world, outages }),
    offers: {
      made: tally.offers,
      accepted: tally.accepted,
      declined: tally.declined,
      expired: tally.expired,
      taken: tally.taken,
    },
    money: moneyOf(material, world),
    doubleAssignments: countDoubleAssignments(truth) + tally.heldTwice,
    eventsCommitted: truth.reduce((sum, { events }) => sum + events.length, 0),
    vendorSocket: {
      ...compareSights(
        truth,
        truth.map(({ deliveryId }) => ({ deliveryId, base: 0, seen: watchers.vendor.marks.seen(deliveryId) })),
      ),
      ...watchers.vendor.marks.counts,
      reconnects: watchers.vendor.connection.reconnects(),
    },
    trackSockets: judgeTracking(watchers, truth),
    webhooks: { ...judgeWebhooks(cast, truth, outages), badSignatures: receiver.counts.badSignatures },
    fixes: tally.fixes,
    fixesPerS: tally.fixes / wallS,
    pingAckMs: { p50: percentileMs(tally.pingAck, 50), p99: percentileMs(tally.pingAck, 99) },
    positionLagMs: {
      p50: percentileMs(tally.positionLag, 50),
      p99: percentileMs(tally.positionLag, 99),
      frames: tracked.reduce((sum, { frames }) => sum + frames(), watchers.vendor.frames()),
    },
    kills: kills.length,
    serverErrors: tally.serverErrors,
    restRetries: world.api.retries(),
    actionsRetried: tally.actionsRetried,
    lost: tally.lost,
    surprises: Object.fromEntries(tally.surprises),
    usage,
    wallS,
  };
  return { ...figures, problems: [...problemsOf(figures, countHoles(truth)), ...material.crashes] };
}

function moneyOf({ money: read, truth, settings }: Material, { toService }: World): MoneyFigures | null {
  if (read === null) return null;
  const readyAt = ({ order }: TrueDelivery): number => Math.trunc(toService(order.readyMin));
  return judgeMoney({ ...read, truth, rules: settings.charges, readyAt });
}

function judgeTracking({ watched, counts }: Cast['watchers'], truth: Material['truth']): Report['trackSockets'] {
  const sum = (name: 'outOfOrder' | 'duplicates' | 'gaps'): number =>
    watched.reduce((total, { reader }) => total + reader.marks.counts[name], 0);
  return {
    ...compareSights(truth, watched.flatMap(sightOf)),
    sockets: watched.length,
    mute: watched.filter(({ deliveryId, reader }) => reader.marks.base(deliveryId) === null).length,
    refused: counts.linksRefused,
    outOfOrder: sum('outOfOrder'),
    duplicates: sum('duplicates'),
    gaps: sum('gaps'),
  };
}

function sightOf({ deliveryId, reader }: Cast['watchers']['watched'][number]): Sight[] {
  const base = reader.marks.base(deliveryId);
  return base === null ? [] : [{ deliveryId, base, seen: reader.marks.seen(deliveryId) }];
}

function judgeWebhooks({ world, receiver }: Cast, truth: Material['truth'], outages: readonly Outage[]): WebhookCount {
  const { time } = world;
  const committedAt = ({ createdAt }: Received): number => performance.now() - time.toRealMs(time.now() - createdAt);
  const delayOf = (one: Received): number => one.firstAt - committedAt(one);
  const wasDown = (one: Received): boolean =>
    outages.some(({ from, to }) => one.firstAt >= from && committedAt(one) <= (to ?? Infinity) + RECOVERY_MS);
  return compareWebhooks(truth, receiver.events, delayOf, wasDown);
}

/** The figures that can make a run fail. Speed is not among them, because machines differ. */
type Judged = Pick<
  Report,
  | 'orders'
  | 'refused'
  | 'outcome'
  | 'dispatch'
  | 'vendorSocket'
  | 'trackSockets'
  | 'webhooks'
  | 'money'
  | 'doubleAssignments'
  | 'serverErrors'
>;

/** The sentences that make a run fail. `holes` counts sequences in histories that are not 1, 2, 3 and so on. */
export function problemsOf(figures: Judged, holes: number): string[] {
  const { orders, refused, outcome, dispatch, vendorSocket, trackSockets, webhooks, doubleAssignments, money } =
    figures;
  const known = outcome.delivered + outcome.failed + outcome.canceled + outcome.open;
  const checks: [number, string][] = [
    [outcome.open, 'orders did not end'],
    [refused, 'orders were refused'],
    [orders - refused - known, 'orders are missing'],
    [doubleAssignments, 'double assignments'],
    [money?.faults.length ?? 0, `amounts are wrong, such as: ${money?.faults[0] ?? ''}`],
    [dispatch.searches.untold.length, 'long searches without their event'],
    [holes, 'gaps in histories'],
    [vendorSocket.missing.length, `events missing on the vendor's socket`],
    [trackSockets.missing.length, 'events missing on tracking sockets'],
    [trackSockets.mute, 'tracking sockets without any event'],
    [trackSockets.refused, 'tracking links were refused'],
    [vendorSocket.invented + trackSockets.invented, 'events on sockets were never committed'],
    [vendorSocket.outOfOrder + trackSockets.outOfOrder, 'events out of order'],
    [webhooks.missing.length, 'webhooks missing'],
    [webhooks.badSignatures, 'webhooks with a wrong signature'],
    [figures.serverErrors.length, 'answers with status 500'],
  ];
  return checks.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}
