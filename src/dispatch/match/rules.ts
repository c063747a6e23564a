import type { Settings } from '../../settings.ts';
import { weightsOf, type Weights } from './costs/table.ts';

/** The numbers of a plan; the server's come from its settings. */
export type Rules = {
  readonly weights: Weights;
  readonly limits: Limits;
  readonly asking: AskingRules;
  readonly search: SearchRules;
};

export type Limits = {
  /** Bundles planned ahead for one courier, besides what he is on his way to. */
  readonly bundles: number;
  /** Orders in one bundle, whatever the courier could carry. */
  readonly bundleSize: number;
  /** Between the first and the last ready time in a bundle, seconds. */
  readonly readyGapS: number;
  /** Couriers looked at for each order. */
  readonly shortlist: number;
  /** No courier farther away from the counter than this, metres. */
  readonly pickupDistanceM: number;
};

/** How couriers are asked. */
export type AskingRules = {
  /** From asking to a yes, seconds. */
  readonly answerS: number;
  /** An offer is taken back for a courier who saves at least this, seconds. */
  readonly muchBetterS: number;
};

/** How hard a plan is searched for. */
export type SearchRules = {
  /** Orders that a round takes out at most, and orders like it that one is taken out together with. */
  readonly removedAtOnce: number;
  readonly kin: number;
  readonly mostRounds: number;
  readonly roundsPerOrder: number;
  /** Machine time, ms. */
  readonly realMs: number;
};

/** Couriers are scarce when open orders exceed this share of them. */
const SCARCE_SHARE = 0.7;

/** The rules as the settings have them; where couriers are scarce, more of them are looked at for each order. */
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
