import type { PricingRule, RuleTerms } from '../../domain/pricing/rules.ts';
import { MOST_RULES, type RuleBook } from '../../domain/pricing/rule-book.ts';
import { id, list, maybe, number, part, text, whole } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

export type RuleBookRow = Omit<RuleBook, 'id'> & { readonly _id: string };

export const RULE_BOOKS = shape<RuleBookRow>({
  name: 'pricing_rules',
  holds: `The pricing rules of a vendor, or those of the platform for all vendors: at most ${MOST_RULES}.`,
  kept: 'Always. If the book is full, a new rule replaces the one that ended first.',
  shardKey: null,
  indexes: [],
  fields: {
    _id: text('The vendor’s id, or `platform`.'),
    rules: list(
      part<PricingRule>(
        {
          id: id('prl', 'The rule’s id.'),
          terms: whole<RuleTerms>(
            'The effect of the rule. Its fields depend on its type, and only the server reads them.',
          ),
          activeFrom: number('From when the rule holds, service time in ms.'),
          activeTo: maybe(number('Until when it holds, service time in ms; null until somebody ends it.')),
          createdAt: number('When the rule was made, service time in ms.'),
        },
        'One rule.',
      ),
      'The rules, in the order in which they were made.',
    ),
    version: number('Rises by one with each change.'),
    updatedAt: number('When the rules last changed, service time in ms.'),
  },
});
