import type { RunId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { carryOutPlan, type Done } from './carry-out-plan.ts';
import type { Term } from '../../work/term.ts';
import { keepGoing } from '../../work/keep-going.ts';
import { prepareRun, readAnswer, type PreparedRun, type RunPlan } from './run/plan.ts';
import type { CandidatePair } from './run/run-input.ts';
import type { Matcher } from './matcher.ts';
import { watchOffers } from './watch-offers.ts';
import { pace } from '../../work/pace.ts';
import { watchSurge, type SurgeNeeds } from '../surge/publish-surge.ts';
import { logDecisions } from './record-decisions.ts';
import { readRegion, type Memory, type ReadNeeds } from './read-region.ts';

export type LeadNeeds = ReadNeeds &
  SurgeNeeds &
  Pick<Context, 'decisions' | 'log' | 'metrics' | 'push'> & { readonly matcher: Matcher };

export type Leader = {
  /** Requests a run in this many ms of service time. */
  request(inMs: number): void;
  /** Says that no search is on here and no offer is open. */
  isQuiet(): boolean;
  stop(): Promise<void>;
};

/** Least machine time between two looks at the open offers. */
const LEAST_LOOK_MS = 100;
/** Service time between two looks at the open offers. */
const LOOK_MS = 1000;

/**
 * Leads one region for as long as this process owns the lease. It makes a run each period and on request, never two at
 * once, and looks after the region's open offers. It keeps the plan from run to run. Every write carries the fencing
 * number, so a leader who stalled and wakes up does no harm.
 */
export function leadRegion(ctx: LeadNeeds, term: Term): Leader {
  const { clock, settings } = ctx;
  const survive = keepGoing(ctx.log, `region ${term.region}`);
  const offers = watchOffers(ctx, () => request(settings.dispatch.debounceMs));
  const decided = logDecisions(ctx, term);
  const surge = watchSurge(ctx, term);
  const memory: Memory = { recent: new Map(), elsewhere: [], candidates: [] };
  let kept: RunPlan['answer']['kept'] = [];
  let searching = 1;
  let number = 0;

  const run = async (): Promise<void> => {
    if (!term.ownsLease()) return;
    const startedAt = clock.real.elapsed();
    const input = await readRegion(ctx, term.region, offers, memory);
    searching = input.deliveries.length;
    ctx.metrics.gauge('dispatch_searching', searching, { region: term.region });
    // Without a search there is nothing to plan, so a quiet region costs the thread no time.
    if (searching === 0) return;
    const prepared = prepareRun(input, kept, (number += 1));
    const answer = await ctx.matcher.answer(prepared.request);
    const plan = readAnswer(input, prepared, answer);
    kept = answer.kept;
    memory.candidates = candidatesIn(answer);
    wantLegs(ctx, prepared, memory.candidates);
    const done = await carryOutPlan(ctx, term, offers, input, plan);
    memory.elsewhere = [...memory.elsewhere, ...done.elsewhere];
    if (done.opened.length < plan.pairs.length || done.withdrawn.length > 0) request(settings.dispatch.debounceMs);
    const tookMs = Math.round(clock.real.elapsed() - startedAt);
    const runId = decided.record({ at: input.now, request: prepared.request, plan, done, tookMs });
    tell(ctx, term, plan, { ...done, tookMs, runId });
    // Thrown only after the executed part is recorded.
    if (done.failure !== null) throw done.failure;
    await surge.look(input);
  };

  const runs = pace(clock, settings.dispatch.leastRealGapMs, () => survive(run));
  const request = (inMs: number): void => runs.request(inMs / clock.scale);
  const stopPeriod = clock.real.every(settings.dispatch.periodMs / clock.scale, () => request(0));
  const stopLooking = clock.real.every(Math.max(LEAST_LOOK_MS, LOOK_MS / clock.scale), () => {
    if (term.ownsLease()) offers.tick();
  });
  request(0);
  return {
    request,
    isQuiet: () => searching === 0 && offers.count() === 0,
    stop: async () => {
      stopPeriod();
      stopLooking();
      await runs.stop();
      ctx.metrics.gauge('dispatch_searching', null, { region: term.region });
    },
  };
}

function candidatesIn({ decisions }: RunPlan['answer']): CandidatePair[] {
  return decisions.flatMap(({ deliveryId, candidates }) =>
    candidates.map(({ courierId }) => ({ courierId, deliveryId })),
  );
}

/**
 * Asks the routing server, if there is one, for the ways that the next run will need: from where couriers will start.
 */
function wantLegs({ travel }: LeadNeeds, { seats, pool }: PreparedRun, candidates: readonly CandidatePair[]): void {
  if (!travel.hasRouter()) return;
  const starts = new Map(seats.map((seat) => [seat.entry.courier.id, seat]));
  travel.wanted(
    candidates.flatMap(({ courierId, deliveryId }) => {
      const [seat, delivery] = [starts.get(courierId), pool.get(deliveryId)];
      if (seat === undefined || delivery === undefined) return [];
      return [{ from: seat.start.place, to: delivery.pickup.place, vehicle: seat.entry.courier.vehicleType }];
    }),
  );
}

function tell(
  ctx: LeadNeeds,
  term: Term,
  plan: RunPlan,
  { opened, tookMs, runId }: Pick<Done, 'opened'> & { readonly tookMs: number; readonly runId: RunId | null },
): void {
  ctx.metrics.observe('dispatch_run_seconds', tookMs / 1000, {});
  if (plan.pairs.length === 0) return;
  const reasons: Record<string, number> = {};
  for (const reason of plan.reasons.values()) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const { rounds } = plan.answer;
  const counts = { pairs: plan.pairs.length, opened: opened.length, rounds, reasons };
  ctx.log.info({ runId, region: term.region, fence: term.fence(), tookMs, ...counts }, 'run with offers');
}
