import type { Settings } from '../../settings.ts';
import { weightsOf, type Weights } from './costs/table.ts';

/** The numbers that a plan is made by. The server reads them from its settings. */
export type Rules = {
  readonly weights: Weights;
  readonly limits: Limits;
  readonly asking: AskingRules;
  readonly search: SearchRules;
};

export type Limits = {
  /** Bundles planned ahead for one courier, besides the one that they are fetching. */
  readonly bundles: number;
  /** Orders in one bundle at most, even if the courier could carry more. */
  readonly bundleSize: number;
  /** Between the first and the last ready time in a bundle, seconds. */
  readonly readyGapS: number;
  /** Couriers listed for each order. */
  readonly shortlist: number;
  /** The farthest that a listed courier may be from the pickup location, metres in a straight line. */
  readonly pickupDistanceM: number;
};

/** How offers are timed. */
export type AskingRules = {
  /** Time from an offer to its acceptance, seconds. */
  readonly answerS: number;
  /** An open offer is withdrawn if another courier saves at least this, seconds. */
  readonly muchBetterS: number;
};

/** How long and how widely a plan is searched. */
export type SearchRules = {
  /** Orders that a round removes at most, and related orders that are considered with each removed one. */
  readonly removedAtOnce: number;
  readonly kin: number;
  readonly mostRounds: number;
  readonly roundsPerOrder: number;
  /** Machine time, ms. */
  readonly realMs: number;
};

/** Couriers are scarce when open orders exceed this share of them. */
const SCARCE_SHARE = 0.7;

/** Reads the rules from the settings. If couriers are scarce, more of them are listed for each order. */
export function rulesOf({ dispatch }: Pick<Settings, 'dispatch'>, orders: number, couriers: number): Rules {
  return {
    weights: weightsOf(dispatch),
    limits: {
      bundles: dispatch.plannedBundles,
      bundleSize: dispatch.bundleSize,
      readyGapS: dispatch.readyGapMs / 1000,
      shortlist: orders > SCARCE_SHARE * couriers ? dispatch.scarceCandidates : dispatch.candidates,
      pickupDistanceM: dispatch.maxPickupDistanceM,
    },
    asking: {
      answerS: dispatch.answerMs / 1000,
      muchBetterS: dispatch.muchBetterMs / 1000,
    },
    search: {
      removedAtOnce: dispatch.removedAtOnce,
      kin: dispatch.kin,
      mostRounds: dispatch.mostRounds,
      roundsPerOrder: dispatch.roundsPerOrder,
      realMs: dispatch.searchRealMs,
    },
  };
}
