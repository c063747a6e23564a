import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { emptyBook, MOST_RULES, rulesInForce, withRule } from '../../../src/domain/pricing/rule-book.ts';
import type { PricingRule, RuleTerms } from '../../../src/domain/pricing/rules.ts';
import { settingRules } from '../../../src/money/prices/setting-rules.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { NOON } from '../../builders.ts';

const SETTINGS = settingRules(defaultSettings().quotes);
const base = (amount: number): RuleTerms => ({ type: 'base', amount });

function aRule(terms: RuleTerms, over: Partial<PricingRule> = {}): PricingRule {
  return { id: newId('prl'), terms, activeFrom: NOON - 1000, activeTo: null, createdAt: NOON - 1000, ...over };
}

function baseAt(own: readonly PricingRule[], platform: readonly PricingRule[], at = NOON): unknown {
  const books = [
    { ...emptyBook(newId('ven')), rules: own },
    { ...emptyBook('platform'), rules: platform },
  ];
  return rulesInForce(books, SETTINGS, at).find(({ terms }) => terms.type === 'base')?.terms;
}

test('[J39] of each charge one rule holds: the vendor’s, the platform’s or that of the settings', () => {
  expect(baseAt([], [])).toEqual(base(350));
  expect(baseAt([], [aRule(base(1))])).toEqual(base(1));
  expect(baseAt([aRule(base(2))], [aRule(base(1))])).toEqual(base(2));
  const later = aRule(base(3), { activeFrom: NOON - 500 });
  expect(baseAt([later, aRule(base(2))], [])).toEqual(base(3));
});

test('[J39] a rule holds from its start until its end', () => {
  const rule = aRule(base(2), { activeFrom: NOON, activeTo: NOON + 10 });
  expect([NOON - 1, NOON, NOON + 9, NOON + 10].map((at) => baseAt([rule], [], at))).toEqual([
    base(350),
    base(2),
    base(2),
    base(350),
  ]);
});

test('[J42] a full book takes a new rule in the place of the one that ended first, and otherwise none', () => {
  const full = Array.from({ length: MOST_RULES }, () => aRule(base(1)));
  expect(withRule(full, aRule(base(2)), NOON)).toBeNull();
  const [first, second, ...rest] = full;
  const ended = [{ ...first!, activeTo: NOON - 1 }, { ...second!, activeTo: NOON - 2 }, ...rest];
  const added = aRule(base(2));
  const next = withRule(ended, added, NOON) ?? [];
  expect(next).toHaveLength(MOST_RULES);
  expect(next).not.toContain(ended[1]);
  expect(next.at(-1)).toBe(added);
});
