import { readPart, type Subject } from '../../domain/analytics/roll-up.ts';
import { figuresOf, type SpanFigures } from '../../domain/analytics/spans.ts';
import { countsUnder, sumOf, type Sums } from '../../domain/analytics/sums.ts';
import { shiftDate } from '../../domain/analytics/range.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { PartSums } from '../../ports/analytics.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import { rangeOf, type Reach } from './reach.ts';

type Needs = Pick<Context, 'rollUps'>;

/** Deliveries that were canceled or failed, by the caller who ended them and by the reason. */
export type Cause = { readonly outcome: 'canceled' | 'failed'; readonly name: string; readonly count: number };
export type SuccessRate = {
  readonly delivered: number;
  readonly canceled: number;
  readonly failed: number;
  /** The delivered share of all that ended; null if none did. */
  readonly rate: number | null;
  readonly onTime: number;
  readonly endedBy: readonly Cause[];
  readonly reasons: readonly Cause[];
  readonly returns: { readonly delivered: number; readonly canceled: number; readonly failed: number };
};

const UNSUCCESSFUL = ['canceled', 'failed'] as const;

/** How many deliveries ended in each way. Returns are counted apart. */
export async function readSuccessRate(ctx: Needs, reach: Reach): Promise<SuccessRate> {
  const sums = await read(ctx, reach, 'endings');
  const count = (name: string): number => sumOf(sums, name);
  const [delivered, canceled, failed] = [count('delivered'), count('canceled'), count('failed')];
  const causes = (under: string): Cause[] =>
    UNSUCCESSFUL.flatMap((outcome) =>
      countsUnder(sums, `${outcome}/${under}/`).map(([name, many]) => ({ outcome, name, count: many })),
    );
  return {
    delivered,
    canceled,
    failed,
    rate: shareOf(delivered, delivered + canceled + failed),
    onTime: count('on_time'),
    endedBy: causes('by'),
    reasons: causes('why'),
    returns: {
      delivered: count('return_delivered'),
      canceled: count('return_canceled'),
      failed: count('return_failed'),
    },
  };
}

export const TIMINGS = ['preparation', 'wait', 'transit'] as const;

/** How long the goods took to be ready, the courier waited for them, and the way took. */
export async function readTimings(
  ctx: Needs,
  reach: Reach,
): Promise<Readonly<Record<(typeof TIMINGS)[number], SpanFigures>>> {
  const sums = await read(ctx, reach, 'endings');
  return {
    preparation: figuresOf(sums, 'preparation'),
    wait: figuresOf(sums, 'wait'),
    transit: figuresOf(sums, 'transit'),
  };
}

/** What was charged and not refunded for one group, in one currency. A group without a name names none. */
export type Cost = {
  readonly group: string | null;
  readonly currency: string;
  readonly deliveries: number;
  readonly charged: number;
};

/** The spending by location or by category, the highest first. */
export async function readCosts(ctx: Needs, reach: Reach, by: 'location' | 'category'): Promise<readonly Cost[]> {
  const subject = by === 'location' && reach.locationId === null ? 'places' : 'endings';
  const parts = await ctx.rollUps.sumByPart(rangeOf(reach, subject), ['charged', 'delivered']);
  const costs = [...parts].map(([part, sums]): Cost => {
    const { group, currency } = readPart(part);
    const named = by === 'location' && reach.locationId !== null ? reach.locationId : group;
    return { group: named, currency, deliveries: sumOf(sums, 'delivered'), charged: sumOf(sums, 'charged') };
  });
  const spent = mergeCosts(costs).filter(({ deliveries, charged }) => deliveries > 0 || charged !== 0);
  return spent.toSorted((a, b) => b.charged - a.charged || (a.group ?? '').localeCompare(b.group ?? ''));
}

/** One location has rows of several categories, which count as one place. */
function mergeCosts(costs: readonly Cost[]): Cost[] {
  const groups = Map.groupBy(costs, ({ group, currency }) => `${group ?? ''}|${currency}`);
  return [...groups.values()].map((same) => ({
    group: same[0]?.group ?? null,
    currency: same[0]?.currency ?? '',
    deliveries: same.reduce((total, { deliveries }) => total + deliveries, 0),
    charged: same.reduce((total, { charged }) => total + charged, 0),
  }));
}

/** What one courier did for the reach. */
export type Performance = {
  readonly courierId: CourierId;
  readonly delivered: number;
  readonly failed: number;
  readonly onTimeRate: number | null;
  readonly rating: { readonly average: number | null; readonly count: number };
  readonly comments: number;
};

/** The sums of a courier's performance. Those with most of the first one come first. */
const PERFORMED = ['delivered', 'failed', 'on_time', 'rated', 'stars', 'comments'];

/** A page of the couriers, those with most deliveries first. */
export async function readPerformance(ctx: Needs, reach: Reach, page: PageRequest): Promise<Page<Performance>> {
  const { items, next } = await ctx.rollUps.rankParts(rangeOf(reach, 'couriers'), PERFORMED, page);
  return { items: items.map(performanceIn), next };
}

/** All couriers, those with most deliveries first, as they are counted when the first part is read. */
export async function* readAllPerformance(ctx: Needs, reach: Reach): AsyncGenerator<readonly Performance[]> {
  for await (const some of ctx.rollUps.rankAll(rangeOf(reach, 'couriers'), PERFORMED)) yield some.map(performanceIn);
}

function performanceIn({ part, sums }: PartSums): Performance {
  return performanceOf(part as CourierId, sums);
}

function performanceOf(courierId: CourierId, sums: Sums): Performance {
  const delivered = sumOf(sums, 'delivered');
  return {
    courierId,
    delivered,
    failed: sumOf(sums, 'failed'),
    onTimeRate: shareOf(sumOf(sums, 'on_time'), delivered),
    rating: ratingOf(sums),
    comments: sumOf(sums, 'comments'),
  };
}

export type CourierMetrics = Omit<Performance, 'comments' | 'courierId'> & {
  readonly released: number;
  readonly lost: number;
  readonly successRate: number | null;
  readonly offers: {
    readonly shown: number;
    readonly accepted: number;
    readonly declined: number;
    readonly expired: number;
  };
  readonly acceptanceRate: number | null;
  readonly completion: SpanFigures;
};

/** What one courier did for all vendors together, by UTC dates. */
export async function readCourierMetrics(
  ctx: Needs,
  courierId: CourierId,
  { from, to }: Reach['dates'],
): Promise<CourierMetrics> {
  const dates = { scope: courierId, from, to: shiftDate(to, -1) };
  const [ends, conduct] = await Promise.all([
    ctx.rollUps.sum({ ...dates, subject: 'courier' }),
    ctx.rollUps.sum({ ...dates, subject: 'conduct' }),
  ]);
  const { courierId: _id, comments: _comments, ...performance } = performanceOf(courierId, ends);
  const [released, lost] = [sumOf(conduct, 'released'), sumOf(ends, 'lost')];
  const { delivered, failed } = performance;
  const [accepted, declined, expired] = ['accepted', 'declined', 'expired'].map((name) => sumOf(conduct, name));
  const offers = {
    shown: sumOf(conduct, 'shown'),
    accepted: accepted ?? 0,
    declined: declined ?? 0,
    expired: expired ?? 0,
  };
  return {
    ...performance,
    released,
    lost,
    successRate: shareOf(delivered, delivered + failed + released + lost),
    offers,
    acceptanceRate: shareOf(offers.accepted, offers.accepted + offers.declined + offers.expired),
    completion: figuresOf(ends, 'completion'),
  };
}

function read(ctx: Needs, reach: Reach, subject: Subject): Promise<Sums> {
  return ctx.rollUps.sum(rangeOf(reach, subject));
}

function ratingOf(sums: Sums): Performance['rating'] {
  const count = sumOf(sums, 'rated');
  return { average: shareOf(sumOf(sums, 'stars'), count), count };
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
