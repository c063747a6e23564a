import type { Settings } from '../../../settings.ts';
import type { Arena } from '../world.ts';

/** The name of a setting of the matcher. */
export type SettingName = keyof Settings['dispatch'];

/** A setting `…Ms` is a weight `…S`, since the matcher counts in seconds. Any other setting keeps its name. */
type WeightName<Name extends SettingName> = Name extends `${infer Stem}Ms` ? `${Stem}S` : Name;

/** The weights that a term reads from these settings. Times are seconds. */
export type WeightsOf<Name extends SettingName> = { readonly [Key in Name as WeightName<Key>]: number };

/** A term sees the world of the plan and the weights that it reads. */
export type CostInput<Name extends SettingName = never> = {
  readonly arena: Arena;
  readonly weights: WeightsOf<Name>;
};

/** The places where a term can count, and the function that a term there needs. All functions return seconds. */
export type Charges<Name extends SettingName = never> = {
  /**
   * The cost of an order that the courier carries: they collect it at `collectedS` and reach its last drop-off at
   * `doneS`. All terms together must not be below 0, since a search gives a chain up as soon as it has passed a limit.
   * If the courier is `NOBODY`, the function returns the most that any courier would cost.
   */
  readonly pair: (input: CostInput<Name>, order: number, courier: number, doneS: number, collectedS: number) => number;
  /**
   * The cost of a bundle, charged once, at least 0. The order `head` begins it. `isAsked`: the chain begins with this
   * bundle, and the courier does not have its head yet and must be asked.
   */
  readonly bundle: (input: CostInput<Name>, head: number, courier: number, isAsked: boolean) => number;
  /**
   * The cost of using each courier at all, at least 0. It is computed for all couriers at once, since a term may
   * compare them.
   */
  readonly chain: (input: CostInput<Name>) => Float64Array;
  /** The cost of an order that nobody carries, besides the most that carrying it could cost. */
  readonly leave: (input: CostInput<Name>, order: number) => number;
};

/** A place where costs are charged. */
export type Place = keyof Charges;

/** One cost of a plan. */
export type CostTerm<At extends Place, Name extends SettingName> = {
  readonly name: string;
  /**
   * The unit of the function's result. All terms are added up, so they share one unit: a second of one order's click to
   * door.
   */
  readonly unit: 's';
  readonly counts: At;
  readonly charge: Charges<Name>[At];
  /** The settings that the term reads. The first setting scales it: at 0 the term charges nothing. */
  readonly settings: readonly Name[];
};
