// The outcome of a policy on a day: which courier carried which orders when. Whether it keeps the rules is judged by
// check.ts.
import type { Rules } from '../../../src/dispatch/match/rules.ts';
import type { Day } from '../../day/day.ts';

/**
 * One way to a restaurant and on to the drop-offs. Orders and couriers are indexes in the day, and times are whole
 * minutes.
 */
export type CarriedBundle = {
  readonly courier: number;
  /** When the courier set out for the restaurant. */
  readonly departMin: number;
  /** When the courier had the goods. They leave half a pickup service later. */
  readonly pickupMin: number;
  /** In the order of the drop-offs, each with the minute in which it was decided. */
  readonly orders: readonly { readonly order: number; readonly decidedMin: number }[];
};

/** A day as it was carried out. */
export type Outcome = {
  readonly day: Day;
  readonly bundles: readonly CarriedBundle[];
  /** Machine time of each run of the policy that had something to decide, ms. */
  readonly runsMs: readonly number[];
};

/** The conditions under which a policy is played. */
export type PlayOptions = {
  /** Chance that a courier accepts an offer. With 1, no courier is asked. */
  readonly accept: number;
  /** Whether the policy knows ready times in advance, or only the restaurant's mean preparation time. */
  readonly prep: 'known' | 'mean';
  readonly seed: number;
  /** Changes the matcher's rules, to measure what one of them is worth. */
  readonly rules?: (rules: Rules) => Rules;
  /** Minutes from one run to the next. The default is 1. */
  readonly everyMin?: number;
  /** Couriers count if they are free, or begin, within this many minutes. The default is the server's setting. */
  readonly aheadMin?: number;
};

/** Plays a day from its first order until every order that can be carried is carried. Calls `tick` for each minute. */
export type Policy = (day: Day, options: PlayOptions, tick?: (minute: number) => void) => Outcome;
