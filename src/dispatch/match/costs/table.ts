import assert from 'node:assert/strict';
import { coverage } from './coverage.ts';
import { clickToDoor, collectedTooLate, deliveredTooLate, overage } from './lateness.ts';
import { searchEnding, unserved } from './leaving.ts';
import { refusals } from './refusals.ts';
import type { Charges, CostInput, CostTerm, Place, SettingName, WeightsOf } from './term.ts';
import { idle, notFree } from './using.ts';

/** Checks a row: its function may read no settings but those that the row names. */
const term = <At extends Place, Name extends SettingName = never>(
  row: CostTerm<At, Name> & { readonly charge: Charges<NoInfer<Name>>[At] },
): CostTerm<At, Name> => row;

/**
 * Everything that a plan costs. The matcher looks for the plan with the lowest cost, and takes its costs from here alone. A
 * new term is a row, its function in a file of this folder, and its settings in `settings.ts`. A new term of a pair or a
 * bundle also needs a call in its sum below.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const COST_TERMS = [
  term({ name: 'click_to_door',      unit: 's', counts: 'pair',   charge: clickToDoor,      settings: [] }),
  term({ name: 'overage',            unit: 's', counts: 'pair',   charge: overage,          settings: ['overageWeight'] }),
  term({ name: 'delivered_too_late', unit: 's', counts: 'pair',   charge: deliveredTooLate, settings: ['tooLateFineMs'] }),
  term({ name: 'collected_too_late', unit: 's', counts: 'pair',   charge: collectedTooLate, settings: ['tooLateFineMs'] }),
  term({ name: 'refusals',           unit: 's', counts: 'bundle', charge: refusals,         settings: ['refusalMs'] }),
  term({ name: 'coverage',           unit: 's', counts: 'chain',  charge: coverage,         settings: ['coverageAheadMs', 'coverageSoonMs', 'unservedMs'] }),
  term({ name: 'not_free',           unit: 's', counts: 'chain',  charge: notFree,          settings: ['notFreeMs'] }),
  term({ name: 'idle',               unit: 's', counts: 'chain',  charge: idle,             settings: ['idleCreditMs', 'idleFullMs'] }),
  term({ name: 'unserved',           unit: 's', counts: 'leave',  charge: unserved,         settings: ['unservedMs'] }),
  term({ name: 'search_ending',      unit: 's', counts: 'leave',  charge: searchEnding,     settings: ['tooLateFineMs', 'lastCallMs'] }),
] as const;

/** A setting that a term reads. */
export type CostSetting = (typeof COST_TERMS)[number]['settings'][number];

/** The weights of all terms, in seconds where the setting is a time. */
export type Weights = WeightsOf<CostSetting>;

/** Reads the weights of all terms from the settings. */
export function weightsOf(settings: Readonly<Record<SettingName, number>>): Weights {
  const names = new Set(COST_TERMS.flatMap((row): readonly SettingName[] => row.settings));
  const weights = [...names].map((name): [string, number] =>
    name.endsWith('Ms') ? [name.replace(/Ms$/u, 'S'), settings[name] / 1000] : [name, settings[name]],
  );
  return Object.fromEntries(weights) as Weights;
}

type Input = CostInput<CostSetting>;
type Row<At extends Place> = { readonly counts: At; readonly charge: Charges<CostSetting>[At] };

function chargesAt<At extends Place>(place: At): Charges<CostSetting>[At][] {
  const rows: readonly Row<Place>[] = COST_TERMS;
  return rows.filter((row): row is Row<At> => row.counts === place).map(({ charge }) => charge);
}

const NONE = (): number => 0;
// The search adds up pairs and bundles millions of times a run. Each term has a call of its own below, because the engine
// inlines such a call and not one in a loop, which makes a run 40 % longer.
const [PAIR_1 = NONE, PAIR_2 = NONE, PAIR_3 = NONE, PAIR_4 = NONE, ...morePairs] = chargesAt('pair');
const [BUNDLE_1 = NONE, ...moreBundles] = chargesAt('bundle');
assert(morePairs.length === 0 && moreBundles.length === 0, 'each pair and bundle term has a call in its sum');
const CHAIN = chargesAt('chain');
const LEAVE = chargesAt('leave');

/** The sum of the pair terms, seconds. */
export function pairCostS(input: Input, order: number, courier: number, doneS: number, collectedS: number): number {
  return (
    PAIR_1(input, order, courier, doneS, collectedS) +
    PAIR_2(input, order, courier, doneS, collectedS) +
    PAIR_3(input, order, courier, doneS, collectedS) +
    PAIR_4(input, order, courier, doneS, collectedS)
  );
}

/** The sum of the bundle terms, seconds. */
export function bundleCostS(input: Input, head: number, courier: number, isAsked: boolean): number {
  return BUNDLE_1(input, head, courier, isAsked);
}

/** The sum of the chain terms for each courier, seconds. */
export function chainCostsS(input: Input): Float64Array {
  const sumS = new Float64Array(input.arena.couriers.ids.length);
  for (const charge of CHAIN) for (const [courier, costS] of charge(input).entries()) sumS[courier]! += costS;
  return sumS;
}

/** The sum of the leave terms, seconds. */
export function leaveCostS(input: Input, order: number): number {
  return LEAVE.reduce((sumS, charge) => sumS + charge(input, order), 0);
}
