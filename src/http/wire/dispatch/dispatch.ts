import { z } from 'zod';
import { ALARM_KINDS, type Alarm } from '../../../domain/alarm.ts';
import { VEHICLE_TYPES } from '../../../domain/couriers/courier.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { isoTime } from '../../../domain/time.ts';
import {
  DECISION_VERDICTS,
  explainCandidate,
  explainVerdict,
  type DecisionRow,
} from '../../../domain/offers/decision.ts';
import { idSchema } from '../../../domain/ids.ts';
import { CLOSED_STATES } from '../../../domain/offers/offer.ts';
import type { QueueEntry } from '../../../dispatch/due/list-queue.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { pageQuery } from '../../lists.ts';
import { textOf } from '../../../domain/text.ts';

export const AssignBody = z
  .strictObject({
    delivery_id: idSchema('del'),
    courier_id: idSchema('cou').exactOptional().describe('If it is missing, the matcher runs for this delivery now'),
    override_reason: textOf(280).exactOptional(),
  })
  .transform(({ delivery_id: deliveryId, courier_id: courierId, override_reason: overrideReason }) => ({
    deliveryId,
    courierId: courierId ?? null,
    overrideReason: overrideReason ?? null,
  }));

const DispatchRunView = z.strictObject({ object: z.literal('dispatch_run'), delivery_id: idSchema('del') });

export const AssignView = z.union([DeliveryView, DispatchRunView]);

export const CandidatesQuery = z.strictObject({ delivery_id: idSchema('del') });

/** A courier who could carry the delivery, as the matcher rates them. */
export const CandidateView = z.strictObject({
  courier: z.strictObject({ id: idSchema('cou'), name: z.string(), vehicle_type: z.enum(VEHICLE_TYPES) }),
  distance_m: z.number(),
  travel_s: z.number(),
  load: z.number().int(),
  cost: z.number(),
  reason: z.string(),
});

export const QueueQuery = PlatformListQuery.pick({ limit: true, cursor: true, live_mode: true });

const count = z.number().int();

/** A delivery that needs an operator. */
export const QueueEntryView = z.strictObject({
  object: z.literal('queue_entry'),
  delivery: DeliveryView,
  since: z.iso
    .datetime()
    .describe(
      'When the search began to count: at the order, at the last release, or some minutes before the goods are ready if that is later. It counts at once if the vendor reports that the goods are ready',
    ),
  alarm_id: idSchema('alm').nullable().describe('Null for the seconds before the alarm is raised'),
  tries: z
    .strictObject({ accepted: count, declined: count, expired: count, withdrawn: count })
    .describe('Number of offers by how they ended, including earlier searches'),
  last_try: z
    .strictObject({ status: z.enum(CLOSED_STATES), reason: z.string().nullable(), at: z.iso.datetime() })
    .nullable()
    .describe('The offer that was closed last. If the courier declined it, the reason is theirs'),
});

export function presentQueueEntry(
  { delivery, alarm, tries }: QueueEntry,
  view: DeliveryView,
): z.output<typeof QueueEntryView> {
  return {
    object: 'queue_entry',
    delivery: view,
    since: isoTime(delivery.searchCountsFromAt),
    alarm_id: alarm?.id ?? null,
    tries: tries?.counts ?? { accepted: 0, declined: 0, expired: 0, withdrawn: 0 },
    last_try:
      tries === null ? null : { status: tries.last.state, reason: tries.last.reason, at: isoTime(tries.last.closedAt) },
  };
}

export const AlarmsQuery = z.strictObject(pageQuery);

/** An open alarm. */
export const AlarmView = z.strictObject({
  id: idSchema('alm'),
  object: z.literal('alarm'),
  kind: z.enum(ALARM_KINDS).describe('The kind of problem'),
  since: z.iso.datetime().describe('When the problem began, RFC 3339 in UTC'),
  detail: z.string().describe('A sentence about the problem'),
  delivery: DeliveryView.nullable().describe('The delivery with the problem. Null if it is no longer stored'),
});

export function presentAlarm(
  { id, kind, since, detail }: Alarm,
  delivery: DeliveryView | null,
): z.output<typeof AlarmView> {
  return { id, object: 'alarm', kind, since: isoTime(since), detail, delivery };
}

export const DecisionsQuery = z.strictObject(pageQuery);

/** The decision of one run of the matcher about a delivery, with its reasons. */
export const DecisionView = z.strictObject({
  object: z.literal('dispatch_decision'),
  run_id: idSchema('run').describe('Id with which the run can be replayed while its inputs are stored'),
  delivery_id: idSchema('del'),
  at: z.iso.datetime(),
  verdict: z.enum(DECISION_VERDICTS),
  reason: z.string(),
  courier_id: idSchema('cou').nullable().describe('The courier to whom the plan gave the delivery'),
  cost_s: z.number().describe('Cost of this assignment in the whole plan, in seconds of one delivery'),
  asked: z.array(idSchema('cou')).describe('Couriers who received an offer from this run; several in a parallel round'),
  candidates: z
    .array(
      z.strictObject({
        courier_id: idSchema('cou'),
        is_chosen: z.boolean(),
        arrive_s: z.number().describe('Seconds until the courier reaches the pickup'),
        alone_s: z
          .number()
          .describe(
            'Seconds from the order to the last drop-off if the courier did nothing else, with fines for lateness',
          ),
        price_s: z
          .number()
          .describe(
            'Price of using this courier, in seconds: for orders to come, for not being free yet and for others who have been idle longer',
          ),
        acceptance: z.number().describe('Probability that the courier accepts'),
        reason: z.string(),
      }),
    )
    .describe('The best couriers that the run considered, best first'),
});

export function presentDecision(row: DecisionRow): z.output<typeof DecisionView> {
  return {
    object: 'dispatch_decision',
    run_id: row.runId,
    delivery_id: row.deliveryId,
    at: isoTime(row.at),
    verdict: row.verdict,
    reason: explainVerdict(row),
    courier_id: row.courierId,
    cost_s: Math.round(row.costS),
    asked: [...row.asked],
    candidates: row.candidates.map((one) => ({
      courier_id: one.courierId,
      is_chosen: one.courierId === row.courierId,
      arrive_s: Math.round(one.arriveS),
      alone_s: Math.round(one.aloneS),
      price_s: Math.round(one.priceS),
      acceptance: Math.round(one.acceptance * 100) / 100,
      reason: explainCandidate(row, one),
    })),
  };
}
