// Compares answers of the server with counts over the deliveries themselves.
import type { mongo } from 'mongoose';
import { quantile } from '../statistics.ts';
import { ENDED } from './endings.ts';

/** The dates of a comparison, the second one excluded. */
export type Range = { readonly from: string; readonly to: string };
/** Answers a path for staff. @throws if the answer is not 200 */
export type Ask = (path: string) => Promise<Record<string, unknown>>;

const ENDED_AT = { $ifNull: ['$times.deliveredAt', { $ifNull: ['$times.canceledAt', '$times.failedAt'] }] };

/** Compares four answers for a vendor, or for the whole platform. Returns the differences as sentences. */
export async function compare(db: mongo.Db, ask: Ask, vendorId: string | null, range: Range): Promise<string[]> {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const owner = vendorId === null ? {} : { vendorId };
  const base = [
    { $match: { ...owner, liveMode: false, state: { $in: ENDED } } },
    { $set: { endedAt: ENDED_AT } },
    { $match: { endedAt: { $gte: from, $lt: to } } },
  ];
  const deliveries = db.collection('deliveries');
  const count = (stages: object[]) => deliveries.aggregate<Record<string, never>>([...base, ...stages]).toArray();
  const about = `date_range=${range.from}/${range.to}&live_mode=false${vendorId === null ? '' : `&vendor_id=${vendorId}`}`;
  const wrong: string[] = [];
  const expectSame = (what: string, given: unknown, counted: unknown): void => {
    if (JSON.stringify(given) !== JSON.stringify(counted)) {
      wrong.push(
        `${what} of ${vendorId ?? 'the platform'}: ${JSON.stringify(given)}, counted ${JSON.stringify(counted)}`,
      );
    }
  };
  const rate = await ask(`/vendor/analytics/success-rate?${about}`);
  const states = new Map(
    (await count([{ $group: { _id: '$state', n: { $sum: 1 } } }])).map((row) => [row['_id'], row['n']]),
  );
  for (const state of ENDED) expectSame(state, rate[state], states.get(state as never) ?? 0);
  const costs = await ask(`/vendor/analytics/delivery-costs?${about}&group_by=category`);
  const fees = await count([
    { $match: { state: 'delivered' } },
    { $group: { _id: '$metadata.category', deliveries: { $sum: 1 }, charged: { $sum: '$fee' } } },
    { $sort: { charged: -1 } },
  ]);
  const rows = costs['data'] as { category: string; deliveries: number; charged: number }[];
  expectSame(
    'charges',
    rows.map(({ category, deliveries: many, charged }) => [category, many, charged]),
    fees.map((row) => [row['_id'], row['deliveries'], row['charged']]),
  );
  const timings = await ask(`/vendor/analytics/timings?${about}`);
  const spans = await count([
    { $match: { state: 'delivered' } },
    { $project: { _id: 0, s: { $divide: [{ $subtract: ['$times.deliveredAt', '$times.pickedUpAt'] }, 1000] } } },
  ]);
  const seconds = spans.map((row) => Number(row['s']));
  const transit = timings['transit'] as { count: number; mean_s: number; p50_s: number; p90_s: number };
  expectSame('transits', transit.count, seconds.length);
  const mean = seconds.reduce((sum, s) => sum + s, 0) / seconds.length;
  expectSame('mean of transit', transit.mean_s, Math.round(mean * 10) / 10);
  for (const [share, given] of [[0.5, transit.p50_s] as const, [0.9, transit.p90_s] as const]) {
    const exact = quantile(seconds, share);
    if (Math.abs(given / exact - 1) > 0.05)
      wrong.push(`percentile ${share} of transit: ${given} s, counted ${exact} s`);
  }
  await compareCourier({ db, ask, count, about, expectSame }, { ...owner, endedAt: { $gte: from, $lt: to } });
  return wrong;
}

type Tools = {
  readonly db: mongo.Db;
  readonly ask: Ask;
  readonly count: (stages: object[]) => Promise<Record<string, never>[]>;
  /** The query of the request. */
  readonly about: string;
  readonly expectSame: (what: string, given: unknown, counted: unknown) => void;
};

/** Compares the deliveries and the ratings of the courier who is listed first. `ended` is the filter of the ratings. */
async function compareCourier({ db, ask, count, about, expectSame }: Tools, ended: object): Promise<void> {
  const [best] = (await ask(`/vendor/analytics/rider-performance?${about}&limit=1`))['data'] as Record<
    string,
    unknown
  >[];
  const [own] = await count([
    { $match: { courierId: best?.['courier_id'], state: 'delivered' } },
    { $group: { _id: null, n: { $sum: 1 } } },
  ]);
  expectSame('deliveries of the first courier', best?.['deliveries'], own?.['n']);
  const rated = { ...ended, courierId: best?.['courier_id'] };
  expectSame('ratings of the first courier', best?.['count'], await db.collection('ratings').countDocuments(rated));
}
