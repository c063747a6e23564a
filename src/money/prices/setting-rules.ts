import type { PriceRule } from '../../domain/pricing/rules.ts';
import type { Settings } from '../../settings.ts';

/** The rules that the settings give. */
export function settingRules(quotes: Settings['quotes']): PriceRule[] {
  return [
    { id: null, terms: { type: 'base', amount: quotes.baseFee } },
    { id: null, terms: { type: 'distance', per_km: quotes.perKmFee } },
    { id: null, terms: { type: 'weight', per_kg: quotes.perKgFee, free_kg: quotes.freeKg } },
    { id: null, terms: { type: 'priority', amount: quotes.expressFee } },
    { id: null, terms: { type: 'surge', most_bp: quotes.mostSurgeBp } },
  ];
}
