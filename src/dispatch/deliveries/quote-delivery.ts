import assert from 'node:assert';
import { judgeReach } from '../../domain/deliveries/guards.ts';
import { newId, type QuoteId } from '../../domain/ids.ts';
import type { Quote, WaitingEstimate } from '../../domain/deliveries/quote.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { isTimed, placesVisited } from '../../domain/deliveries/stops/visits.ts';
import { judgeLocation, longestWayM } from '../../domain/vendors/accept.ts';
import { hoursOf } from '../../domain/vendors/hours.ts';
import { estimateWaiting } from '../../money/prices/estimate-waiting.ts';
import { readSurge } from '../../money/prices/read-surge.ts';
import { readRules } from '../../money/prices/read-rules.ts';
import { payingOf } from '../../money/prices/split-fee.ts';
import { priceDelivery, type Applied } from '../../money/pricing.ts';
import type { Context } from '../../ports/context.ts';
import type { NewQuote } from '../commands.ts';
import { expectPickup } from '../expect-pickup.ts';
import { findWay } from '../find-way.ts';
import { estimatePreparation } from '../learning/estimate-preparation.ts';
import { searchOf } from './plan-birth.ts';
import { findVendorLocation, getOrderingVendor, noPlace } from './vendor-location.ts';
import { pricedVehicle } from '../../domain/deliveries/way.ts';
import type { Vendor } from '../../domain/vendors/vendor.ts';
import { judgeImmediate, judgeScheduled } from '../../domain/window.ts';

type Needs = Pick<Context, 'vendors' | 'clock' | 'settings' | 'surge' | 'ruleBooks' | 'preparation' | 'streets'>;

/** A price that nobody was promised yet, its inputs, and the rules that gave its parts. */
export type Calculated = Omit<Quote, 'id' | 'createdAt' | 'expiresAt'> & { readonly trail: readonly Applied[] };

/**
 * Promises a price for `quotes.ttlMs`. It creates no delivery. Refuses as `calculateQuote` does.
 * @param id the id of the quote. If an earlier try of the request has stored it, that quote is returned.
 */
export async function quoteDelivery(
  ctx: Needs & Pick<Context, 'couriers' | 'positions' | 'quotes' | 'travel'>,
  command: NewQuote,
  id: QuoteId = newId('qte'),
): Promise<Quote> {
  const { trail: _trail, ...price } = await calculateQuote(ctx, command);
  const [pickup] = price.places;
  assert(pickup !== undefined, 'the first place of a quote is its pickup');
  const outlook = await expectPickup(ctx, command, pickup);
  const now = ctx.clock.now();
  return ctx.quotes.add({ id, ...price, outlook, createdAt: now, expiresAt: now + ctx.settings.quotes.ttlMs });
}

/**
 * Prices a delivery by the rules of this moment. Refuses `location_not_found`, `vendor_suspended`, times that
 * a create would refuse, and `invalid_delivery_parameters` if the location does not take the delivery or its places are too
 * far apart.
 */
export async function calculateQuote(ctx: Needs, command: NewQuote): Promise<Calculated> {
  const { vendorId, liveMode, dropOffs, metadata, priority } = command;
  const [vendor, location, rules] = await Promise.all([
    getOrderingVendor(ctx, vendorId),
    findVendorLocation(ctx, command),
    readRules(ctx, vendorId),
  ]);
  const pickup = command.pickup ?? location?.place;
  if (pickup === undefined) throw noPlace();
  const now = ctx.clock.now();
  refuseTimes(ctx, command, vendor, now);
  if (location !== null) {
    const readyAt = command.window?.readyAt ?? null;
    const asked = { priority, pickup, dropOffs: dropOffs.map(({ place }) => place), readyAt, now };
    const no = judgeLocation(location, hoursOf(vendor, location), { ...asked, pointer: '/pickup/location_id' });
    if (no !== null) throw new Refusal(no);
  }
  const places = [pickup, ...dropOffs.map(({ place }) => place)];
  const mostM = longestWayM(vendor, location, ctx.settings.search.maxDistanceM);
  const tooFar = judgeReach(placesVisited(pickup, dropOffs), mostM);
  if (tooFar !== null) throw new Refusal(tooFar);
  const [{ way, ...found }, surge, waiting] = await Promise.all([
    findWay(ctx, { pickup, dropOffs, vehicle: pricedVehicle(command.vehicleTypes) }),
    readSurge(ctx, rules, pickup, liveMode),
    expectWaiting(ctx, command, pickup),
  ]);
  const { taxRateBp } = ctx.settings.pay;
  const { currency } = vendor;
  const paying = payingOf(command);
  const price = priceDelivery({ way, metadata, priority, currency, rules, surge, taxRateBp, paying });
  const [vehicle] = command.vehicleTypes;
  const asked = {
    vendorId,
    liveMode,
    places,
    isTimed: isTimed(dropOffs),
    metadata,
    priority,
    ...(vehicle && { vehicle }),
  };
  return { ...asked, ...price, ...found, waiting };
}

/**
 * Refuses the windows and the end of the search that a create would refuse. A scheduled quote may leave out its ready time,
 * and then only the times that it names are judged.
 */
function refuseTimes({ settings }: Pick<Needs, 'settings'>, command: NewQuote, vendor: Vendor, now: number): void {
  const { window, dropOffs, priority, searchUntilAt } = command;
  const isPlanned = priority === 'scheduled' && (window?.readyAt ?? null) !== null;
  const windows = dropOffs.map((stop) => stop.window);
  const no = (isPlanned ? judgeScheduled : judgeImmediate)(window, windows, now);
  if (no !== null) throw new Refusal(no);
  if (searchUntilAt !== null) searchOf(command, { window }, { vendor, settings, estimateMs: null, now });
}

/** The waiting at the pickup that will probably be charged. A search counts from when a courier could arrive for these goods. */
async function expectWaiting(
  ctx: Pick<Needs, 'clock' | 'preparation' | 'settings'>,
  { vendorId, liveMode, window: asked }: NewQuote,
  place: Coordinates,
): Promise<WaitingEstimate> {
  const { charges, search } = ctx.settings;
  const readyAt = asked?.readyAt ?? null;
  const window = readyAt === null ? null : { readyAt, deadlineAt: null };
  const times = { createdAt: ctx.clock.now(), readyAt: null };
  const [estimate] = await estimatePreparation(ctx, [{ vendorId, liveMode, pickup: { place, window }, times }]);
  return estimateWaiting(estimate?.ms ?? null, search.countLeadMs, charges);
}
