import { isAboutOffer, type DecisionRow } from '../../domain/offers/decision.ts';
import { newId, type DeliveryId, type RunId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { Done } from './carry-out-plan.ts';
import type { Term } from '../../work/term.ts';
import type { PreparedRun, RunPlan } from './run/plan.ts';

/** A run, as far as it could be executed. `at` is its service time and `tookMs` machine time. */
export type CarriedOut = {
  readonly at: number;
  readonly request: PreparedRun['request'];
  readonly plan: RunPlan;
  readonly done: Pick<Done, 'opened' | 'withdrawn'>;
  readonly tookMs: number;
};

export type DecisionLog = {
  /** Hands the run to the store if it decided something. Returns the id under which it is kept, else null. */
  record(run: CarriedOut): RunId | null;
};

/**
 * Most decisions of one run that are kept, offers first. In a large region hundreds of tentative pairs may change
 * places.
 */
const MOST_ROWS = 200;

type Stand = Pick<DecisionRow, 'verdict' | 'courierId'>;
type Outcome = Omit<DecisionRow, 'runId' | 'at'>;

/**
 * Records the runs of one leader that decided something. These runs made, missed or withdrew an offer, or a delivery
 * differs from the leader's last run. An offer just made is open, which is not news. The record names the couriers who
 * received offers, and not those whom the plan wanted.
 */
export function logDecisions({ decisions }: Pick<Context, 'decisions'>, term: Term): DecisionLog {
  let last: ReadonlyMap<DeliveryId, Stand> = new Map();
  return {
    record: ({ at, request, plan: { answer }, done, tookMs }) => {
      const id = newId('run');
      const outcomes = outcomesOf(answer.decisions, done);
      const changed = outcomes.filter((one) => !isAboutOffer(one) && isNew(last.get(one.deliveryId), one));
      const rows = [...outcomes.filter(isAboutOffer), ...changed].map((one) => ({ ...one, runId: id, at }));
      last = new Map(outcomes.map(({ deliveryId, verdict, courierId }) => [deliveryId, { verdict, courierId }]));
      if (rows.length === 0) return null;
      const facts = { id, region: term.region, fence: term.fence(), at, tookMs, rounds: answer.rounds };
      decisions.record({ ...facts, seed: request.seed, request, answer, decisions: rows.slice(0, MOST_ROWS) });
      return id;
    },
  };
}

/** The result for each delivery of the plan. */
function outcomesOf(decisions: RunPlan['answer']['decisions'], { opened, withdrawn }: CarriedOut['done']): Outcome[] {
  const pairs = Map.groupBy(opened, ({ delivery }) => delivery.id);
  const takenBack = new Set(withdrawn.map(({ deliveryId }) => deliveryId));
  return decisions.map((one): Outcome => {
    const { others: _, ...decision } = one;
    const { deliveryId, verdict } = decision;
    const asked = (pairs.get(deliveryId) ?? []).map(({ courierId }) => courierId);
    if (takenBack.has(deliveryId)) return { ...decision, asked, verdict: 'withdrawn' };
    return { ...decision, asked, verdict: verdict === 'offered' && asked.length === 0 ? 'not_opened' : verdict };
  });
}

function isNew(before: Stand | undefined, { verdict, courierId }: Stand): boolean {
  if (before === undefined || before.courierId !== courierId) return true;
  return before.verdict !== verdict && !(before.verdict === 'offered' && verdict === 'offer_open');
}
