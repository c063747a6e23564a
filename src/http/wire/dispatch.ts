import { z } from 'zod';
import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import { DeliveryView } from '../../domain/deliveries/delivery-view.ts';
import { isoTime } from '../../domain/time.ts';
import { DECISION_VERDICTS, explainCandidate, explainVerdict, type DecisionRow } from '../../domain/offers/decision.ts';
import { idSchema } from '../../domain/ids.ts';
import { CLOSED_STATES } from '../../domain/offers/offer.ts';
import type { QueueEntry } from '../../dispatch/due/list-queue.ts';
import { PlatformListQuery } from './deliveries/delivery-list.ts';
import { pageQuery } from '../lists.ts';
import { textOf } from './place.ts';

export const AssignBody = z
  .strictObject({
    delivery_id: idSchema('del'),
    courier_id: idSchema('cou').exactOptional().describe('Without it the matcher runs for this delivery now'),
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

/** A courier who could be asked, with what the matcher thinks of him. */
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

/** A delivery that waits for an operator. */
export const QueueEntryView = z.strictObject({
  object: z.literal('queue_entry'),
  delivery: DeliveryView,
  since: z.iso
    .datetime()
    .describe(
      'From when its search counts: its order, or when it was last given back, or some minutes before its goods are ready if that is later; a call that they are ready makes it count at once',
    ),
  alarm_id: idSchema('alm').nullable().describe('Null in the seconds before the alarm is raised'),
  tries: z
    .strictObject({ accepted: count, declined: count, expired: count, withdrawn: count })
    .describe('How many of its offers ended how, an earlier search included'),
  last_try: z
    .strictObject({ status: z.enum(CLOSED_STATES), reason: z.string().nullable(), at: z.iso.datetime() })
    .nullable()
    .describe("The offer that was closed last; the reason is the courier's own when he declined"),
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

export const DecisionsQuery = z.strictObject(pageQuery);

/** What one run of the matcher decided about a delivery, and why. */
export const DecisionView = z.strictObject({
  object: z.literal('dispatch_decision'),
  run_id: idSchema('run').describe('The run can be replayed by this id while its inputs are kept'),
  delivery_id: idSchema('del'),
  at: z.iso.datetime(),
  verdict: z.enum(DECISION_VERDICTS),
  reason: z.string(),
  courier_id: idSchema('cou').nullable().describe('Who is to carry it as the plan stood'),
  cost_s: z.number().describe('What that cost in the whole of the plan, seconds of one delivery'),
  asked: z.array(idSchema('cou')).describe('Whose offer was opened by this run; several in a parallel round'),
  candidates: z
    .array(
      z.strictObject({
        courier_id: idSchema('cou'),
        is_chosen: z.boolean(),
        arrive_s: z.number().describe('Until he is at the counter'),
        alone_s: z.number().describe('From the order to the last door if he did nothing else, with fines of lateness'),
        price_s: z
          .number()
          .describe(
            'What the plan pays to use him at all: for those who order next, for not being free yet, for others having waited longer',
          ),
        acceptance: z.number().describe('The chance that he says yes'),
        reason: z.string(),
      }),
    )
    .describe('The best couriers that were looked at, best first'),
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
