import type { z } from 'zod';
import { TIMINGS } from '../../../vendors/analytics/read-figures.ts';
import type { Table } from '../../csv.ts';
import type { CostsView, PerformanceView, SuccessRateView, TimingsView } from './analytics.ts';

/** The tables of the answers. */
export const TABLES = {
  successRate: ({ delivered, canceled, failed, rate, on_time: onTime }: z.output<typeof SuccessRateView>): Table => [
    ['delivered', 'canceled', 'failed', 'rate', 'on_time'],
    [delivered, canceled, failed, rate, onTime],
  ],
  timings: (view: z.output<typeof TimingsView>): Table => [
    ['span', 'count', 'mean_s', 'p50_s', 'p90_s'],
    ...TIMINGS.map((name) => [name, view[name].count, view[name].mean_s, view[name].p50_s, view[name].p90_s]),
  ],
  costs: ({ group_by: by, data }: z.output<typeof CostsView>): Table => [
    [by === 'location' ? 'location_id' : 'category', 'currency', 'deliveries', 'charged'],
    ...data.map((row) => [
      by === 'location' ? row.location_id : row.category,
      row.currency,
      row.deliveries,
      row.charged,
    ]),
  ],
} as const;

/** The table of couriers. It is read page by page. */
export const PERFORMANCE_TABLE = {
  columns: ['courier_id', 'first_name', 'deliveries', 'failed', 'on_time_rate', 'rating', 'ratings', 'comments'],
  rowsOf: (row: z.output<typeof PerformanceView>): Table => [
    [
      row.courier_id,
      row.first_name,
      row.deliveries,
      row.failed,
      row.on_time_rate,
      row.rating,
      row.ratings,
      row.comments,
    ],
  ],
};
