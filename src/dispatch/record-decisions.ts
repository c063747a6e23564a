import type { DecisionRow, DecisionVerdict } from '../domain/decision.ts';
import { newId, type CourierId, type DeliveryId, type RunId } from '../domain/ids.ts';
import type { Context } from '../ports.ts';
import type { Term } from './carry-out-plan.ts';
import type { Decision, RunRequest } from './match/answer.ts';
import type { RunPlan } from './match/plan.ts';

/** A run that was carried out. `at` is its service time; `tookMs` machine time. */
export type CarriedOut = {
  readonly at: number;
  readonly request: RunRequest;
  readonly plan: RunPlan;
  readonly tookMs: number;
};

export type DecisionLog = {
  /** Hands the run to the store if it decided something, and gives the id under which it is kept, else null. */
  record(run: CarriedOut): RunId | null;
};

/** Decisions of one run that are kept, offers first: hundreds of tentative pairs may change places in a large region. */
const MOST_ROWS = 200;

type Stand = { readonly verdict: DecisionVerdict; readonly courierId: string | null };

/**
 * Writes down, for one leader of a region, the runs that decided something: those that made or took back an offer, or in
 * which a delivery stands otherwise than in the leader's last run. That an offer just made is open is nothing new.
 */
export function logDecisions({ decisions }: Pick<Context, 'decisions'>, term: Term): DecisionLog {
  let last: ReadonlyMap<string, Stand> = new Map();
  return {
    record: ({ at, request, plan, tookMs }) => {
      const { answer } = plan;
      const id = newId('run');
      const rows = changedIn(plan, last, id, at);
      last = new Map(answer.decisions.map(({ orderId, verdict, courierId }) => [orderId, { verdict, courierId }]));
      if (rows.length === 0) return null;
      const facts = { id, region: term.region, fence: term.fence(), at, tookMs, rounds: answer.rounds };
      decisions.record({ ...facts, seed: request.seed, request, answer, decisions: rows.slice(0, MOST_ROWS) });
      return id;
    },
  };
}

/** What is new, offers made and taken back first. */
function changedIn(
  { answer, pairs, outdone }: RunPlan,
  last: ReadonlyMap<string, Stand>,
  runId: RunId,
  at: number,
): DecisionRow[] {
  const asked = new Map<string, CourierId[]>();
  for (const { delivery, courierId } of pairs) asked.set(delivery.id, [...(asked.get(delivery.id) ?? []), courierId]);
  const withdrawn = new Set<string>(outdone.map(({ deliveryId }) => deliveryId));
  const rowOf = (decision: Decision): DecisionRow => ({
    runId,
    deliveryId: decision.orderId as DeliveryId,
    at,
    verdict: withdrawn.has(decision.orderId) ? 'withdrawn' : decision.verdict,
    courierId: decision.courierId as CourierId | null,
    costS: decision.costS,
    asked: asked.get(decision.orderId) ?? [],
    looked: decision.looked.map((one) => ({ ...one, courierId: one.courierId as CourierId })),
  });
  const isOffer = ({ orderId }: Decision): boolean => asked.has(orderId) || withdrawn.has(orderId);
  const changed = answer.decisions.filter((one) => !isOffer(one) && isNew(last.get(one.orderId), one));
  return [...answer.decisions.filter(isOffer), ...changed].map(rowOf);
}

function isNew(before: Stand | undefined, { verdict, courierId }: Decision): boolean {
  if (before === undefined || before.courierId !== courierId) return true;
  return before.verdict !== verdict && !(before.verdict === 'offered' && verdict === 'offer_open');
}
