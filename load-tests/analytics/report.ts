// The routes that are measured, and the judgement of their times.
import { lastLineOf } from '../command-line.ts';

type By = 'vendor' | 'platform';
type Asked = { readonly span: string; readonly vendorId: string; readonly locationId: string };
export type RouteTimes = {
  readonly name: string;
  readonly by: By;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  /** CPU of the server and of MongoDB for one request, ms. It depends less on other work of the machine. */
  readonly cpu: number;
};

export type AnalyticsReport = {
  readonly deliveries: number;
  readonly ratings: number;
  /** Rows of the roll-ups. */
  readonly rows: number;
  readonly rebuildS: number;
  /** Times of the answers in ms. */
  readonly times: readonly RouteTimes[];
  /** Answers that differ from a count over the deliveries. */
  readonly wrong: readonly string[];
  readonly problems: readonly string[];
};

/** The largest p95 in ms. */
const MOST_MS: Readonly<Record<By, number>> = { vendor: 300, platform: 1000 };

const NAMES = ['success-rate', 'timings', 'delivery-costs?group_by=category', 'rider-performance'] as const;

/** Every route over the longest range, for the largest vendor and for the platform. */
export const ROUTES: readonly { readonly name: string; readonly by: By; readonly pathOf: (asked: Asked) => string }[] =
  [
    ...(['vendor', 'platform'] as const).flatMap((by) =>
      NAMES.map((name) => ({
        name,
        by,
        pathOf: ({ span, vendorId }: Asked) =>
          `/vendor/analytics/${name}${name.includes('?') ? '&' : '?'}${span}${by === 'vendor' ? `&vendor_id=${vendorId}` : ''}`,
      })),
    ),
    {
      name: 'delivery-costs?group_by=location',
      by: 'vendor',
      pathOf: ({ span, vendorId }) =>
        `/vendor/analytics/delivery-costs?group_by=location&${span}&vendor_id=${vendorId}`,
    },
    {
      name: 'timings?location_id=…',
      by: 'vendor',
      pathOf: ({ span, vendorId, locationId }) =>
        `/vendor/analytics/timings?${span}&vendor_id=${vendorId}&location_id=${locationId}`,
    },
  ];

/** Names what was missed: each wrong answer and each slow route. */
export function judge(found: Omit<AnalyticsReport, 'problems'>): AnalyticsReport {
  const slow = found.times
    .filter(({ by, p95 }) => p95 > MOST_MS[by])
    .map(({ name, by, p95 }) => `${name} of a ${by} takes ${Math.round(p95)} ms at p95, above ${MOST_MS[by]} ms`);
  return { ...found, problems: [...found.wrong, ...slow] };
}

export function tableOf({ times, rows, rebuildS, deliveries, ratings }: AnalyticsReport): string[] {
  return [
    `${deliveries} deliveries and ${ratings} ratings in ${rows} rows; rebuilt in ${rebuildS.toFixed(1)} s`,
    '',
    '| Route | By | min ms | p50 ms | p95 ms | CPU ms |',
    '|---|---|---|---|---|---|',
    ...times.map(
      ({ name, by, ...ms }) =>
        `| ${[name, by, ...[ms.min, ms.p50, ms.p95, ms.cpu].map((value) => value.toFixed(1))].join(' | ')} |`,
    ),
  ];
}

export function lastLine({ problems, times }: AnalyticsReport): string {
  const worst = (by: By): string => Math.max(...times.filter((one) => one.by === by).map(({ p95 }) => p95)).toFixed(1);
  return lastLineOf(
    problems,
    `every answer is right; p95 at most ${worst('vendor')} ms for a vendor, ${worst('platform')} ms for the platform`,
  );
}
