import type { z } from 'zod';
import { cardOf } from '../../../domain/couriers/courier.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { openReach, type Reach } from '../../../vendors/analytics/reach.ts';
import {
  readAllPerformance,
  readCosts,
  readPerformance,
  readSuccessRate,
  readTimings,
  type Performance,
} from '../../../vendors/analytics/read-figures.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import { endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest, tableAnswer } from '../../lists.ts';
import { refuseOther } from '../../owner.ts';
import type { CallerOf } from '../../policy.ts';
import {
  CostsView,
  PerformanceView,
  presentCosts,
  presentPerformance,
  presentReach,
  presentSuccess,
  presentTiming,
  SuccessRateView,
  TimingsView,
} from '../../wire/analytics/analytics.ts';
import {
  AnalyticsQuery,
  CommentsQuery,
  CostsQuery,
  PerformanceQuery,
  type AskedReach,
} from '../../wire/analytics/analytics-query.ts';
import { presentRating, RatingView } from '../../wire/analytics/ratings.ts';
import { PERFORMANCE_TABLE, TABLES } from '../../wire/analytics/tables.ts';

const tag = 'Analytics';

const DATES =
  'Deliveries count on the date on which they ended, in the time zone of the location or the vendor. The dates of the ' +
  'whole platform are those of UTC. A delivery that has just ended is counted within seconds. ' +
  'Staff and internal services see the whole platform unless they name a vendor.';

/** The analytics of a vendor, and for staff those of the platform. */
export const ANALYTICS = [
  endpoint({
    route: 'GET /vendor/analytics/success-rate',
    name: 'getSuccessRate',
    tag,
    summary: 'Read how deliveries ended',
    description: `Counts deliveries that were delivered, canceled or failed, with callers and reasons. ${DATES}`,
    query: AnalyticsQuery,
    reply: SuccessRateView,
    csv: TABLES.successRate,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query }) => {
      const reach = await reachOf(ctx, caller, query);
      return presentSuccess(reach, await readSuccessRate(ctx, reach));
    },
  }),
  endpoint({
    route: 'GET /vendor/analytics/timings',
    name: 'getTimings',
    tag,
    summary: 'Read how long preparation, waiting and transit took',
    description: `Returns the mean and the percentiles of each span. Counts and means are exact. ${DATES}`,
    query: AnalyticsQuery,
    reply: TimingsView,
    csv: TABLES.timings,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query }) => {
      const reach = await reachOf(ctx, caller, query);
      const { preparation, wait, transit } = await readTimings(ctx, reach);
      const spans = {
        preparation: presentTiming(preparation),
        wait: presentTiming(wait),
        transit: presentTiming(transit),
      };
      return { object: 'timings' as const, ...presentReach(reach), ...spans };
    },
  }),
  endpoint({
    route: 'GET /vendor/analytics/delivery-costs',
    name: 'getDeliveryCosts',
    tag,
    summary: 'Add up what was charged by location or category',
    description:
      'Adds up what deliveries were charged: fees, tips, waiting, ways back and cancellations. Refunds are taken off, on ' +
      `the date on which the delivery ended. Locations are listed for one vendor only. ${DATES}`,
    query: CostsQuery,
    reply: CostsView,
    csv: TABLES.costs,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query }) => {
      const reach = await reachOf(ctx, caller, query);
      if (query.group_by === 'location' && reach.vendorId === null && reach.locationId === null) {
        throw refuseField('/vendor_id', 'required', 'must be given to group by location');
      }
      return presentCosts(reach, query.group_by, await readCosts(ctx, reach, query.group_by));
    },
  }),
  endpoint({
    route: 'GET /vendor/analytics/rider-performance',
    name: 'listRiderPerformance',
    tag,
    summary: 'List what each courier did, with their ratings',
    description:
      'Lists couriers with most deliveries first. Recipients and vendors give the ratings. As CSV it has all of them at ' +
      `once, sent while they are read. ${DATES}`,
    query: PerformanceQuery,
    reply: listOf(PerformanceView),
    file: {
      type: 'text/csv',
      open: async (ctx, { caller, query }) => {
        const reach = await reachOf(ctx, caller, query);
        return tableAnswer(ctx, 'GET /vendor/analytics/rider-performance', {
          tenant: caller.type === 'vendor' ? caller : null,
          parts: allPerformance(ctx, reach),
          form: PERFORMANCE_TABLE,
        });
      },
    },
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const reach = await reachOf(ctx, caller, query);
      const scope = `rider-performance ${[reach.vendorId, reach.locationId, reach.liveMode].join(' ')}`;
      const { items, next } = await listPerformance(ctx, reach, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, { data: [...items], next });
    },
  }),
  endpoint({
    route: 'GET /vendor/analytics/rider-performance/comments',
    name: 'listRiderComments',
    tag,
    summary: 'List the comments about couriers, newest first',
    description:
      'Lists ratings that have a comment, by recipients and by the vendor. Couriers never see comments. Staff and ' +
      'internal services see those of all vendors unless they name one.',
    query: CommentsQuery,
    reply: listOf(RatingView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const { vendorId, liveMode } = ownerOf(caller, query);
      const filter = {
        liveMode,
        ...(vendorId === null ? {} : { vendorId }),
        ...(query.courier_id === undefined ? {} : { courierId: query.courier_id }),
      };
      const scope = `rider-comments ${[vendorId, liveMode, query.courier_id].join(' ')}`;
      const page = await ctx.ratings.listComments(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentRating));
    },
  }),
];

type Reader = CallerOf<'GET /vendor/analytics/timings'>;

/** Whose deliveries the caller asks about. A vendor reaches its own ones in the mode of its key. */
function ownerOf(
  caller: Reader,
  { vendor_id: vendorId, live_mode: liveMode }: Pick<AskedReach, 'vendor_id' | 'live_mode'>,
): Pick<Reach, 'vendorId' | 'liveMode'> {
  if (caller.type !== 'vendor') return { vendorId: vendorId ?? null, liveMode: liveMode ?? true };
  refuseOther(caller, { vendorId: vendorId ?? null, liveMode: liveMode ?? null });
  return { vendorId: caller.vendorId, liveMode: caller.liveMode };
}

function reachOf(ctx: Pick<HttpContext, 'clock' | 'vendors'>, caller: Reader, asked: AskedReach): Promise<Reach> {
  return openReach(ctx, { ...ownerOf(caller, asked), locationId: asked.location_id ?? null }, asked.date_range);
}

async function listPerformance(
  ctx: HttpContext,
  reach: Reach,
  page: PageRequest,
): Promise<Page<z.output<typeof PerformanceView>>> {
  const { items, next } = await readPerformance(ctx, reach, page);
  return { items: await presentAll(ctx, items), next };
}

async function* allPerformance(
  ctx: HttpContext,
  reach: Reach,
): AsyncGenerator<readonly z.output<typeof PerformanceView>[]> {
  for await (const part of readAllPerformance(ctx, reach)) yield await presentAll(ctx, part);
}

/** The couriers with their first names, as far as they still exist. */
async function presentAll(
  { couriers }: Pick<HttpContext, 'couriers'>,
  some: readonly Performance[],
): Promise<z.output<typeof PerformanceView>[]> {
  const found = await couriers.findMany(some.map(({ courierId }) => courierId));
  const names = new Map(found.map((courier) => [courier.id, cardOf(courier).first_name]));
  return some.map((one) => presentPerformance(one, names.get(one.courierId) ?? null));
}
