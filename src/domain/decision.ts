import type { CourierId, DeliveryId, RunId } from './ids.ts';

/**
 * What a run of the matcher decided about one delivery: the matcher's own verdicts, and `withdrawn` where it took an
 * offer back for a much better courier.
 */
export const DECISION_VERDICTS = [
  'offered',
  'offer_open',
  'no_candidate',
  'outbid',
  'courier_not_free',
  'not_due',
  'withdrawn',
] as const;

export type DecisionVerdict = (typeof DECISION_VERDICTS)[number];

/** A courier who was looked at for a delivery, with the matcher's figures. */
export type LookedAt = {
  readonly courierId: CourierId;
  /** Until he is at the counter, seconds. */
  readonly arriveS: number;
  /** From the order to the last door if he did nothing else, with the fines of lateness, seconds. */
  readonly aloneS: number;
  /** What it costs those who order next that he is gone, seconds. */
  readonly coverageS: number;
  /** The chance that he says yes. */
  readonly acceptance: number;
};

/** A decision about one delivery that differs from that of the run before, or that made or took back an offer. */
export type DecisionRow = {
  readonly runId: RunId;
  readonly deliveryId: DeliveryId;
  /** Service time, epoch ms. */
  readonly at: number;
  readonly verdict: DecisionVerdict;
  /** Who is to carry it as the plan stands. */
  readonly courierId: CourierId | null;
  /** What that costs in the whole of the plan, seconds. */
  readonly costS: number;
  /** Who was asked by this run. */
  readonly asked: readonly CourierId[];
  /** The best couriers looked at, best first. */
  readonly looked: readonly LookedAt[];
};

/** What is kept of each run that decided something. */
export type RunFacts = {
  readonly id: RunId;
  readonly region: string;
  readonly fence: number;
  /** Service time, epoch ms. */
  readonly at: number;
  /** Machine time from the first read to the last offer. */
  readonly tookMs: number;
  /** Rounds of the search that were made. */
  readonly rounds: number;
  readonly seed: number;
};

/** A run as its leader tells it. `request` and `answer` are the matcher's plain data; the store does not look into them. */
export type RunRecord = RunFacts & {
  readonly request: object;
  readonly answer: object;
  readonly decisions: readonly DecisionRow[];
};

/** A run as it was kept; without what was too large or too much. */
export type StoredRun = RunFacts & {
  /** SHA-256 of the packed request, hex. */
  readonly inputsHash: string;
  readonly request: unknown;
  readonly answer: unknown;
};

const SENTENCES: Readonly<Record<DecisionVerdict, string>> = {
  offered: 'Its courier is asked now.',
  offer_open: 'A courier is thinking about it.',
  no_candidate: 'No courier who may be asked suits it.',
  outbid: 'Every courier who suits it is needed more elsewhere.',
  courier_not_free: 'Its courier has something else to do first.',
  not_due: 'Asking its courier a run later delays nothing.',
  withdrawn: 'Its offer was taken back: another courier is much better now.',
};

/** Why the delivery was, or was not, offered: one sentence. */
export function explainVerdict({ verdict }: Pick<DecisionRow, 'verdict'>): string {
  return SENTENCES[verdict];
}

/** What speaks for or against a courier who was looked at, beside the chosen one. */
export function explainLooked({ courierId, asked, looked }: DecisionRow, one: LookedAt): string {
  const figures = `At the counter in ${span(one.arriveS)}, says yes ${Math.round(one.acceptance * 10)} times in 10.`;
  if (one.courierId === courierId) return `Chosen. ${figures}`;
  const chosen = looked.find((other) => other.courierId === courierId);
  const also = asked.includes(one.courierId) ? 'Asked at the same time. ' : '';
  if (chosen === undefined) return `${also}${figures}`;
  const moreS = one.aloneS + one.coverageS - chosen.aloneS - chosen.coverageS;
  if (moreS > 0) return `${also}Costs ${span(moreS)} more than the chosen courier. ${figures}`;
  // The plan is the best for all deliveries together, so the best for one alone may serve another.
  return `${also}Costs ${span(-moreS)} less for this delivery alone, and serves the plan better elsewhere. ${figures}`;
}

const MINUTE_S = 60;

function span(seconds: number): string {
  return seconds < MINUTE_S ? `${Math.max(0, Math.round(seconds))} s` : `${Math.round(seconds / MINUTE_S)} min`;
}
