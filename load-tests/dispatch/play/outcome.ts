// What a policy made of a day: who carried which orders when. Plain facts; whether they keep the rules is check.ts's word.
import type { Rules } from '../../../src/dispatch/match/rules.ts';
import type { Day } from '../../day/day.ts';

/** One way to a restaurant and on to the doors. Orders and couriers are indexes in the day; all times are whole minutes. */
export type CarriedBundle = {
  readonly courier: number;
  /** When the courier set out for the restaurant. */
  readonly departMin: number;
  /** When the goods were in his hands; he leaves half a pickup service later. */
  readonly pickupMin: number;
  /** In the order of the doors, each with the minute in which it was decided upon. */
  readonly orders: readonly { readonly order: number; readonly decidedMin: number }[];
};

/** A day as it was carried out. */
export type Outcome = {
  readonly day: Day;
  readonly bundles: readonly CarriedBundle[];
  /** Machine time of each run of the policy that had something to decide, ms. */
  readonly runsMs: readonly number[];
};

/** What a policy is played under. */
export type PlayOptions = {
  /** Chance that a courier says yes to an offer; 1 asks nobody. */
  readonly accept: number;
  /** What the policy knows of a ready time before it has come: all, or only the restaurant's mean preparation time. */
  readonly prep: 'known' | 'mean';
  readonly seed: number;
  /** Changes the matcher's rules, to see what one of them is worth. */
  readonly rules?: (rules: Rules) => Rules;
  /** Minutes from one run to the next; 1 when it is not said. */
  readonly everyMin?: number;
  /** Couriers count who are free, or begin, within so many minutes; the server's setting when it is not said. */
  readonly aheadMin?: number;
};

/** Plays a day from its first order until the last one that can be carried is. `tick` is told each minute played. */
export type Policy = (day: Day, options: PlayOptions, tick?: (minute: number) => void) => Outcome;
