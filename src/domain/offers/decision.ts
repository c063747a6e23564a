import type { CourierId, DeliveryId, RunId } from '../ids.ts';

/** Why a plan offers a delivery, or does not. */
export const MATCH_VERDICTS = [
  /** Its courier is to receive the offer now. */
  'offered',
  /** A courier is considering its open offer. */
  'offer_open',
  /** No courier who could receive an offer suits it. */
  'no_candidate',
  /** Every courier who suits it is needed more elsewhere. */
  'outbid',
  /** Its courier has another delivery or another offer first. */
  'courier_not_free',
  /** Waiting one more period delays nothing. */
  'not_due',
] as const;

/**
 * The result of a run for a delivery: the verdict of its plan, or one of two others. `withdrawn`: the run took an offer
 * back for a much better courier. `not_opened`: the plan said `offered`, and no courier could receive the offer.
 */
export const DECISION_VERDICTS = [...MATCH_VERDICTS, 'withdrawn', 'not_opened'] as const;

export type MatchVerdict = (typeof MATCH_VERDICTS)[number];
export type DecisionVerdict = (typeof DECISION_VERDICTS)[number];

/** A courier who was considered for a delivery, with the figures that decide. */
export type Candidate = {
  readonly courierId: CourierId;
  /** Until the courier is at the pickup location, seconds. */
  readonly arriveS: number;
  /** From the order to the last drop-off if the courier did nothing else, with the fines for lateness, seconds. */
  readonly aloneS: number;
  /**
   * The price of using this courier at all: for the next orders, for not being free yet, for others who waited longer;
   * seconds.
   */
  readonly priceS: number;
  /** The probability that the courier accepts. */
  readonly acceptance: number;
};

/** The decision of a plan about one delivery. */
export type Decision = {
  readonly deliveryId: DeliveryId;
  readonly verdict: MatchVerdict;
  /** The courier who carries it by this plan. */
  readonly courierId: CourierId | null;
  /** The cost of this choice in the whole plan, seconds. */
  readonly costS: number;
  /** The best considered couriers, best first. */
  readonly candidates: readonly Candidate[];
};

/**
 * The decision of a run about one delivery, kept if the run made, missed or withdrew an offer, or if it differs from
 * the last.
 */
export type DecisionRow = Omit<Decision, 'verdict'> & {
  readonly verdict: DecisionVerdict;
  readonly runId: RunId;
  /** Service time, epoch ms. */
  readonly at: number;
  /** The couriers who received an offer in this run. */
  readonly asked: readonly CourierId[];
};

/** The facts that are kept of each run that decided something. */
export type RunFacts = {
  readonly id: RunId;
  readonly region: string;
  readonly fence: number;
  /** Service time, epoch ms. */
  readonly at: number;
  /** Machine time from the first read to the last offer. */
  readonly tookMs: number;
  /** Rounds that the search made. */
  readonly rounds: number;
  readonly seed: number;
};

/**
 * A run as its leader reports it. `request` and `answer` are the matcher's plain data. The store does not look into
 * them.
 */
export type RunRecord = RunFacts & {
  readonly request: object;
  readonly answer: object;
  readonly decisions: readonly DecisionRow[];
};

/** A run as it was kept, without the parts that were too large. */
export type StoredRun = RunFacts & {
  /** SHA-256 of the packed request, hex. */
  readonly inputsHash: string;
  readonly request: unknown;
  readonly answer: unknown;
};

const SENTENCES: Readonly<Record<DecisionVerdict, string>> = {
  offered: 'Its courier receives the offer now.',
  offer_open: 'A courier is considering the offer.',
  no_candidate: 'No online courier is near enough, free soon enough and able to carry it.',
  outbid: 'Every courier who suits it is needed more elsewhere.',
  courier_not_free: 'Its courier has another delivery or offer first.',
  not_due: 'An offer to its courier one run later delays nothing.',
  withdrawn: 'Its offer was withdrawn: another courier is a much better match now.',
  not_opened: 'Its courier could not receive the offer: the courier or the delivery was taken in the meantime.',
};

/** Says whether the run made, withdrew or tried to make an offer. */
export function isAboutOffer({ verdict }: Pick<DecisionRow, 'verdict'>): boolean {
  return verdict === 'offered' || verdict === 'not_opened' || verdict === 'withdrawn';
}

/** One sentence that explains why the delivery was offered, or why not. */
export function explainVerdict({ verdict, courierId, asked }: DecisionRow): string {
  if (verdict !== 'offered' || courierId === null || asked.includes(courierId)) return SENTENCES[verdict];
  return 'Its courier could not receive the offer; other couriers of the same round did.';
}

/** Explains a candidate, compared with the chosen courier. */
export function explainCandidate({ courierId, asked, candidates }: DecisionRow, one: Candidate): string {
  const figures = `At the pickup in ${span(one.arriveS)}, accepts ${Math.round(one.acceptance * 10)} offers in 10.`;
  if (one.courierId === courierId) return `Chosen. ${figures}`;
  const chosen = candidates.find((other) => other.courierId === courierId);
  const also = asked.includes(one.courierId) ? 'Received an offer at the same time. ' : '';
  if (chosen === undefined) return `${also}${figures}`;
  const moreS = one.aloneS + one.priceS - chosen.aloneS - chosen.priceS;
  if (moreS > 0) return `${also}Costs ${span(moreS)} more than the chosen courier. ${figures}`;
  // The plan is the best for all deliveries together. The best courier for one delivery may serve another.
  return `${also}Costs ${span(-moreS)} less for this delivery alone, and serves the plan better elsewhere. ${figures}`;
}

const MINUTE_S = 60;

function span(seconds: number): string {
  return seconds < MINUTE_S ? `${Math.max(0, Math.round(seconds))} s` : `${Math.round(seconds / MINUTE_S)} min`;
}
