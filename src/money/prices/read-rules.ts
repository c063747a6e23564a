import type { VendorId } from '../../domain/ids.ts';
import { emptyBook, rulesInForce } from '../../domain/pricing/rule-book.ts';
import type { PriceRule } from '../../domain/pricing/rules.ts';
import type { Context } from '../../ports/context.ts';
import { settingRules } from './setting-rules.ts';

type Needs = Pick<Context, 'ruleBooks' | 'settings' | 'clock'>;

/** The rules that price a delivery of this vendor now. */
export async function readRules({ ruleBooks, settings, clock }: Needs, vendorId: VendorId): Promise<PriceRule[]> {
  const found = await Promise.all([ruleBooks.find(vendorId), ruleBooks.find('platform')]);
  const books = found.map((book) => book ?? emptyBook('platform'));
  return rulesInForce(books, settingRules(settings.quotes), clock.now());
}
