import { judgeDistance } from '../../domain/deliveries/guards.ts';
import { newId, type QuoteId } from '../../domain/ids.ts';
import type { Quote } from '../../domain/deliveries/quote.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { isTimed, orderVisits } from '../../domain/deliveries/visits.ts';
import { judgeLocation, longestRouteM } from '../../domain/vendors/accept.ts';
import { hoursOf } from '../../domain/vendors/hours.ts';
import { readSurge } from '../../money/prices/read-surge.ts';
import { settingRules } from '../../money/prices/setting-rules.ts';
import { priceDelivery } from '../../money/pricing.ts';
import type { Context } from '../../ports/context.ts';
import type { NewQuote } from '../commands.ts';
import { findVendorLocation, getOrderingVendor, noPlace } from './vendor-location.ts';

type Needs = Pick<Context, 'vendors' | 'quotes' | 'clock' | 'settings' | 'surge'>;

/**
 * Promises a price for `quotes.ttlMs`. It creates no delivery. Refuses `location_not_found`, `vendor_suspended`, and
 * `invalid_delivery_parameters` if the location does not take the delivery or the route is too long.
 * @param id the id of the quote. If an earlier try of the request has stored it, that quote is returned.
 */
export async function quoteDelivery(ctx: Needs, command: NewQuote, id: QuoteId = newId('qte')): Promise<Quote> {
  const vendor = await getOrderingVendor(ctx, command.vendorId);
  const location = await findVendorLocation(ctx, command);
  const pickup = command.pickup ?? location?.place;
  if (pickup === undefined) throw noPlace();
  const { vendorId, liveMode, dropOffs, metadata, priority, readyAt, subsidy } = command;
  const now = ctx.clock.now();
  if (location !== null) {
    const asked = { priority, pickup, dropOffs: dropOffs.map(({ place }) => place), readyAt, now };
    const no = judgeLocation(location, hoursOf(vendor, location), { ...asked, pointer: '/pickup/location_id' });
    if (no !== null) throw new Refusal(no);
  }
  const { quotes, pay } = ctx.settings;
  const places = [pickup, ...dropOffs.map(({ place }) => place)];
  const visited = [pickup, ...orderVisits(pickup, dropOffs).map(({ place }) => place)];
  const rules = settingRules(quotes);
  const surge = await readSurge(ctx, rules, pickup, liveMode);
  const { taxRateBp } = pay;
  const { currency } = vendor;
  const price = priceDelivery({ places: visited, metadata, priority, currency, rules, surge, taxRateBp, subsidy });
  const mostM = longestRouteM(vendor, location, ctx.settings.search.maxDistanceM);
  const tooLong = judgeDistance(price.distanceM, mostM);
  if (tooLong !== null) throw new Refusal(tooLong);
  const inputs = { vendorId, liveMode, places, isTimed: isTimed(dropOffs), metadata, priority };
  const quote = { id, ...inputs, ...price, createdAt: now, expiresAt: now + quotes.ttlMs };
  return ctx.quotes.add(quote);
}
