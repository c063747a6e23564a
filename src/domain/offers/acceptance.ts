import type { CourierId, OfferId } from '../ids.ts';
import type { Offer } from './offer.ts';

/**
 * The bands of the way to the pickup, metres along streets, each up to its upper bound. Couriers take near offers more
 * readily than far ones. Records are stored by these names: a band with other bounds needs another name.
 */
export const BANDS = [
  { name: 'km_0_1', belowM: 1000 },
  { name: 'km_1_3', belowM: 3000 },
  { name: 'km_3_6', belowM: 6000 },
  { name: 'km_6_up', belowM: Infinity },
] as const;

export type Band = (typeof BANDS)[number]['name'];
export const BAND_NAMES: readonly Band[] = BANDS.map(({ name }) => name);

/** How many offers a courier answered, and how many of them they accepted. Both fade, so they are not whole numbers. */
export type Tally = { readonly asked: number; readonly accepted: number };

/** The known answers of a courier, as of `at` (service time in ms). A band without answers may be missing. */
export type AcceptanceRecord = { readonly at: number; readonly bands: Readonly<Partial<Record<Band, Tally>>> };

/** The answer that one closed offer gives about its courier. */
export type OfferAnswer = {
  readonly offerId: OfferId;
  readonly courierId: CourierId;
  readonly band: Band;
  readonly isYes: boolean;
  /** Service time in ms. */
  readonly at: number;
};

/** The assumed share of accepted offers for a courier without answers: four in five. */
const PRIOR_ACCEPTANCE = 0.8;
/** How many answers this assumption weighs: five, so that a courier's sixth own answer already outweighs it. */
const PRIOR_WEIGHT = 5;
/**
 * After this long an answer weighs half, ms of service time: 14 days, two of every weekday, so that habits may change.
 */
export const HALF_LIFE_MS = 14 * 24 * 3_600_000;

/** The band of a way to the pickup. */
export function bandOf(distanceM: number): Band {
  return BANDS.find(({ belowM }) => distanceM < belowM)?.name ?? 'km_6_up';
}

/**
 * The answer that a closed offer gives about its courier. Yes if they accepted it. No if they declined it, or if a
 * phone showed it until it expired. Null if it was withdrawn, if no phone showed it, or if the distance is not known.
 */
export function answerOf({ id, courierId, state, deliveredAt, closedAt, distanceM }: Offer): OfferAnswer | null {
  // An answer itself proves that a phone showed the offer, even if its acknowledgement got lost.
  const isAnswer = state === 'accepted' || state === 'declined' || (state === 'expired' && deliveredAt !== null);
  if (!isAnswer || closedAt === null || distanceM === null) return null;
  return { offerId: id, courierId, band: bandOf(distanceM), isYes: state === 'accepted', at: closedAt };
}

/**
 * The probability that the courier accepts an offer with a way to the pickup of this band; between 0 and 1, never
 * either. It is the posterior mean of a Beta distribution at two levels (Gelman et al., Bayesian Data Analysis, ch. 2
 * and 5). The courier's answers in the other bands are smoothed towards the mean of all couriers. Their answers in this
 * band are smoothed towards the result. So each answer counts once. Declined far offers say little about near ones once
 * the courier has near answers. A band without answers is judged by all their other answers.
 * @param record undefined for a courier who has answered nothing yet
 * @param now service time in ms; the record fades until then
 */
export function acceptanceIn(record: AcceptanceRecord | undefined, band: Band, now: number): number {
  if (record === undefined) return PRIOR_ACCEPTANCE;
  const kept = fadeOver(now - record.at);
  const others = sum(BAND_NAMES.filter((name) => name !== band).map((name) => record.bands[name] ?? NONE));
  return smooth(record.bands[band] ?? NONE, kept, smooth(others, kept, PRIOR_ACCEPTANCE));
}

/** The share of an answer's weight that is left after this time, ms. All of it if the time lies ahead. */
export function fadeOver(ms: number): number {
  return 2 ** (-Math.max(0, ms) / HALF_LIFE_MS);
}

const NONE: Tally = { asked: 0, accepted: 0 };

function smooth({ asked, accepted }: Tally, kept: number, prior: number): number {
  return (PRIOR_WEIGHT * prior + kept * accepted) / (PRIOR_WEIGHT + kept * asked);
}

function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, { asked, accepted }) => ({ asked: total.asked + asked, accepted: total.accepted + accepted }),
    NONE,
  );
}
