import type { PriceRule } from '../../domain/pricing/rules.ts';
import type { Settings } from '../../settings.ts';

/** The rules that the settings give. */
export function settingRules(quotes: Settings['quotes']): PriceRule[] {
  return [
    { terms: { type: 'base', amount: quotes.baseFee } },
    { terms: { type: 'distance', per_km: quotes.perKmFee } },
    { terms: { type: 'weight', per_kg: quotes.perKgFee, free_kg: quotes.freeKg } },
    { terms: { type: 'priority', amount: quotes.expressFee } },
    { terms: { type: 'surge', most_bp: quotes.mostSurgeBp } },
  ];
}
