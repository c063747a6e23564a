import type { VendorId } from '../../domain/ids.ts';
import { rulesInForce, type RuleBook } from '../../domain/pricing/rule-book.ts';
import type { PriceRule } from '../../domain/pricing/rules.ts';
import type { Context } from '../../ports/context.ts';
import { settingRules } from './setting-rules.ts';

type Needs = Pick<Context, 'ruleBooks' | 'settings' | 'clock'>;

/** The rules that price a delivery of this vendor now. */
export async function readRules(ctx: Needs, vendorId: VendorId): Promise<readonly PriceRule[]> {
  return (await readBooks(ctx, vendorId)).inForce;
}

/** The books of the vendor and of the platform, and those of their rules and of the settings that hold now. */
export async function readBooks(
  { ruleBooks, settings, clock }: Needs,
  vendorId: VendorId,
): Promise<{ readonly books: readonly RuleBook[]; readonly inForce: readonly PriceRule[] }> {
  const books = await Promise.all([ruleBooks.find(vendorId), ruleBooks.find('platform')]);
  return { books, inForce: rulesInForce(books, settingRules(settings.quotes), clock.now()) };
}
