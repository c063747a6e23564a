import type { CourierId, DeliveryId, RunId } from '../ids.ts';

/** Why a delivery is, or is not, given out by a plan. */
export const MATCH_VERDICTS = [
  /** Its courier is to be asked now. */
  'offered',
  /** Somebody is thinking about it. */
  'offer_open',
  /** Nobody who could be asked suits it. */
  'no_candidate',
  /** Every courier who suits it is needed more elsewhere. */
  'outbid',
  /** Its courier has something else to do, or to be asked, first. */
  'courier_not_free',
  /** Waiting one more period delays nothing. */
  'not_due',
] as const;

/**
 * What a run did about a delivery: what its plan said, `withdrawn` where it took an offer back for a much better courier,
 * and `not_opened` where the plan said `offered` and nobody could be asked.
 */
export const DECISION_VERDICTS = [...MATCH_VERDICTS, 'withdrawn', 'not_opened'] as const;

export type MatchVerdict = (typeof MATCH_VERDICTS)[number];
export type DecisionVerdict = (typeof DECISION_VERDICTS)[number];

/** A courier who was looked at for a delivery, with the figures that speak for or against him. */
export type Candidate = {
  readonly courierId: CourierId;
  /** Until he is at the counter, seconds. */
  readonly arriveS: number;
  /** From the order to the last door if he did nothing else, with the fines of lateness, seconds. */
  readonly aloneS: number;
  /** What the plan pays to use him at all: for those who order next, for not being free yet, for others having waited longer; seconds. */
  readonly priceS: number;
  /** The chance that he says yes. */
  readonly acceptance: number;
};

/** What a plan says of one delivery. */
export type Decision = {
  readonly deliveryId: DeliveryId;
  readonly verdict: MatchVerdict;
  /** Who is to carry it as the plan stands. */
  readonly courierId: CourierId | null;
  /** What that costs in the whole of the plan, seconds. */
  readonly costS: number;
  /** The best couriers looked at, best first. */
  readonly candidates: readonly Candidate[];
};

/** What a run did about one delivery: where it made, could not make or took back an offer, or all stands otherwise than before. */
export type DecisionRow = Omit<Decision, 'verdict'> & {
  readonly verdict: DecisionVerdict;
  readonly runId: RunId;
  /** Service time, epoch ms. */
  readonly at: number;
  /** Whose offer was opened by this run. */
  readonly asked: readonly CourierId[];
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
  no_candidate: 'No courier is online who is near enough, free soon enough and able to carry it.',
  outbid: 'Every courier who suits it is needed more elsewhere.',
  courier_not_free: 'Its courier has something else to do, or to be asked, first.',
  not_due: 'Asking its courier a run later delays nothing.',
  withdrawn: 'Its offer was taken back: another courier is much better now.',
  not_opened: 'Its courier was to be asked and could not be: he, or the delivery, was taken meanwhile.',
};

/** Says whether an offer was made or taken back, or was to be made. */
export function isAboutOffer({ verdict }: Pick<DecisionRow, 'verdict'>): boolean {
  return verdict === 'offered' || verdict === 'not_opened' || verdict === 'withdrawn';
}

/** Why the delivery was, or was not, offered: one sentence. */
export function explainVerdict({ verdict, courierId, asked }: DecisionRow): string {
  if (verdict !== 'offered' || courierId === null || asked.includes(courierId)) return SENTENCES[verdict];
  return 'Its courier could not be asked; others, to be asked with him, are.';
}

/** What speaks for or against a candidate, beside the chosen one. */
export function explainCandidate({ courierId, asked, candidates }: DecisionRow, one: Candidate): string {
  const figures = `At the counter in ${span(one.arriveS)}, says yes ${Math.round(one.acceptance * 10)} times in 10.`;
  if (one.courierId === courierId) return `Chosen. ${figures}`;
  const chosen = candidates.find((other) => other.courierId === courierId);
  const also = asked.includes(one.courierId) ? 'Asked at the same time. ' : '';
  if (chosen === undefined) return `${also}${figures}`;
  const moreS = one.aloneS + one.priceS - chosen.aloneS - chosen.priceS;
  if (moreS > 0) return `${also}Costs ${span(moreS)} more than the chosen courier. ${figures}`;
  // The plan is the best for all deliveries together, so the best for one alone may serve another.
  return `${also}Costs ${span(-moreS)} less for this delivery alone, and serves the plan better elsewhere. ${figures}`;
}

const MINUTE_S = 60;

function span(seconds: number): string {
  return seconds < MINUTE_S ? `${Math.max(0, Math.round(seconds))} s` : `${Math.round(seconds / MINUTE_S)} min`;
}
