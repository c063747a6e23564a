import type { CourierId, OfferId } from '../ids.ts';
import type { Offer } from './offer.ts';

/**
 * The bands by which the way to the pickup is told apart, metres along streets, each up to its upper bound. A courier
 * takes what is round the corner and thinks about what is farther away. Records are stored by these names: a band with
 * other bounds needs another name.
 */
export const BANDS = [
  { name: 'km_0_1', belowM: 1000 },
  { name: 'km_1_3', belowM: 3000 },
  { name: 'km_3_6', belowM: 6000 },
  { name: 'km_6_up', belowM: Infinity },
] as const;

export type Band = (typeof BANDS)[number]['name'];
export const BAND_NAMES: readonly Band[] = BANDS.map(({ name }) => name);

/** How many offers a courier answered, and how many of them with yes; both fade, so they are no whole numbers. */
export type Tally = { readonly asked: number; readonly accepted: number };

/** What is known of a courier's answers, as of `at` (service time in ms). A band without answers may be missing. */
export type AcceptanceRecord = { readonly at: number; readonly bands: Readonly<Partial<Record<Band, Tally>>> };

/** What one closed offer says of its courier. */
export type OfferAnswer = {
  readonly offerId: OfferId;
  readonly courierId: CourierId;
  readonly band: Band;
  readonly isYes: boolean;
  /** Service time in ms. */
  readonly at: number;
};

/** Share of offers taken to be accepted by a courier of whom nothing is known: four in five. */
const PRIOR_ACCEPTANCE = 0.8;
/** How many answers that is worth: five, so that a courier's sixth own answer already outweighs it. */
const PRIOR_WEIGHT = 5;
/** After this long an answer counts half, ms of service time: 14 days, two of every weekday, so that habits may change. */
export const HALF_LIFE_MS = 14 * 24 * 3_600_000;

/** The band of a way to the pickup. */
export function bandOf(distanceM: number): Band {
  return BANDS.find(({ belowM }) => distanceM < belowM)?.name ?? 'km_6_up';
}

/**
 * What a closed offer says of its courier: yes when he accepted it, no when he declined it or a phone showed it until it
 * expired. Null when it says nothing: it was withdrawn, no phone ever showed it, or how far he was is not known.
 */
export function answerOf({ id, courierId, state, deliveredAt, closedAt, distanceM }: Offer): OfferAnswer | null {
  // An answer proves by itself that a phone showed the offer, whether or not its acknowledgement came through.
  const isAnswer = state === 'accepted' || state === 'declined' || (state === 'expired' && deliveredAt !== null);
  if (!isAnswer || closedAt === null || distanceM === null) return null;
  return { offerId: id, courierId, band: bandOf(distanceM), isYes: state === 'accepted', at: closedAt };
}

/**
 * How probable it is that the courier accepts an offer whose way to the pickup is of this band, between 0 and 1 and never either.
 * The posterior mean of a Beta distribution, at two levels (Gelman et al., Bayesian Data Analysis, ch. 2 and 5): his
 * answers in the other bands are smoothed towards the mean of all couriers, and those of the band towards what came out.
 * So each answer counts once, far offers that were declined say little of the near ones once he has been asked there,
 * and a band he was never asked in is judged by all his answers.
 * @param record undefined for a courier who has answered nothing yet
 * @param now service time in ms; what is remembered fades until then
 */
export function acceptanceIn(record: AcceptanceRecord | undefined, band: Band, now: number): number {
  if (record === undefined) return PRIOR_ACCEPTANCE;
  const kept = fadeOver(now - record.at);
  const others = sum(BAND_NAMES.filter((name) => name !== band).map((name) => record.bands[name] ?? NONE));
  return smooth(record.bands[band] ?? NONE, kept, smooth(others, kept, PRIOR_ACCEPTANCE));
}

/** What is left of the weight of an answer after this time, ms; all of it when the time lies ahead. */
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
