import type { Coordinates } from '../../domain/geo/geo.ts';
import { WHOLE_BP, type PriceRule } from '../../domain/pricing/rules.ts';
import type { Context } from '../../ports/context.ts';

/** The factor for a price that is made now: that of the pickup, or 1 if no rule raises prices. Never fails. */
export async function readSurge(
  { surge }: Pick<Context, 'surge'>,
  rules: readonly PriceRule[],
  pickup: Coordinates,
  liveMode: boolean,
): Promise<number> {
  const isUsed = rules.some(({ terms }) => terms.type === 'surge' && terms.most_bp > WHOLE_BP);
  return isUsed ? (await surge.at(pickup, liveMode)).surge : 1;
}
