import type { Settings } from '../../settings.ts';

/** The numbers of a plan; the server's come from its settings. */
export type Rules = {
  readonly weights: Weights;
  readonly limits: Limits;
  readonly coverage: CoverageRules;
  readonly asking: AskingRules;
  readonly search: SearchRules;
};

/** What a plan pays for, seconds. The unit is one second of one order's click to door. */
export type Weights = {
  /** Per second after the target. */
  readonly overage: number;
  /** For an order delivered after its latest time, or collected after its vendor's. */
  readonly tooLateS: number;
  /** For an order that nobody carries, besides its age. */
  readonly unservedS: number;
  /** For using a courier who is not free yet. */
  readonly notFreeS: number;
  /** For using a courier who has only just had something to do, and the less the longer he has waited. */
  readonly idleCreditS: number;
  /** After waiting so long he has all of the credit. */
  readonly idleFullS: number;
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

export type CoverageRules = {
  /** How far ahead the price of using up a courier looks, seconds. */
  readonly aheadS: number;
  /** Couriers count who are free within this time and stay as long again, seconds. */
  readonly soonS: number;
};

/** How couriers are asked. */
export type AskingRules = {
  /** From asking to a yes, seconds. */
  readonly answerS: number;
  /** What a no costs, seconds. */
  readonly refusalS: number;
  /** A search this close to its end goes out whatever the ready time, seconds. */
  readonly lastCallS: number;
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
    weights: {
      overage: dispatch.overageWeight,
      tooLateS: dispatch.tooLateFineMs / 1000,
      unservedS: dispatch.unservedMs / 1000,
      notFreeS: dispatch.notFreeMs / 1000,
      idleCreditS: dispatch.idleCreditMs / 1000,
      idleFullS: dispatch.idleFullMs / 1000,
    },
    limits: {
      bundles: dispatch.plannedBundles,
      bundleSize: dispatch.bundleSize,
      readyGapS: dispatch.readyGapMs / 1000,
      shortlist: orders > SCARCE_SHARE * couriers ? dispatch.scarceCandidates : dispatch.candidates,
      pickupDistanceM: dispatch.maxPickupDistanceM,
    },
    coverage: { aheadS: dispatch.coverageAheadMs / 1000, soonS: dispatch.coverageSoonMs / 1000 },
    asking: {
      answerS: dispatch.answerMs / 1000,
      refusalS: dispatch.refusalMs / 1000,
      lastCallS: dispatch.lastCallMs / 1000,
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
