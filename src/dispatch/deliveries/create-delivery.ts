import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { wayOfQuote, type Quote } from '../../domain/deliveries/quote.ts';
import { visitOrder } from '../../domain/deliveries/stops/visits.ts';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import { newId, type DeliveryId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { readSurge } from '../../money/prices/read-surge.ts';
import { readRules } from '../../money/prices/read-rules.ts';
import type { Change, Claim, CommitFailure } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import type { Doer, NewDelivery, NewStop } from '../commands.ts';
import { estimatePreparation } from '../learning/estimate-preparation.ts';
import { sealPin } from '../../domain/proof/pin.ts';
import { findVendorLocation, getOrderingVendor } from './vendor-location.ts';
import { claimsOf, pickupOf, planBirth } from './plan-birth.ts';
import { commitOn, type GroundAfter, type Seen } from '../change-delivery.ts';
import { knownWay, type FoundWay } from '../find-way.ts';
import { pricedVehicle } from '../../domain/deliveries/way.ts';

type Needs = Pick<
  Context,
  | 'vendors'
  | 'quotes'
  | 'claims'
  | 'confirmed'
  | 'deliveries'
  | 'links'
  | 'commit'
  | 'clock'
  | 'preparation'
  | 'settings'
  | 'bell'
  | 'notices'
  | 'vault'
  | 'surge'
  | 'ruleBooks'
  | 'streets'
  | 'travel'
>;
/**
 * `isNew` is true if this request created the delivery. `isJustBorn` is true if it did so in this try: then nobody has an
 * offer for the delivery yet.
 */
type Created = { readonly delivery: Delivery; readonly isNew: boolean; readonly isJustBorn: boolean };

/**
 * Creates a delivery once. If the `external_id` is known with the same content, it returns the existing delivery. An open
 * delivery of the same vendor order counts alike, and an ended one does not.
 * Refuses `duplicate_delivery` for other content, `expired_quote`, `used_quote`, `mismatched_price_quote`,
 * `location_not_found`, `vendor_suspended`, `test_mode_only`, and what the guards of the table refuse.
 * @param id the id of the new delivery, the same for each try of a request
 */
export async function createDelivery(
  ctx: Needs,
  command: NewDelivery,
  doer: Doer,
  id: DeliveryId = newId('del'),
): Promise<Created> {
  const { deliveries, confirmed } = ctx;
  const ground: GroundAfter<Taken> = {
    read: (lost) => readTaken(ctx, (known) => deliveries.find(known), command, id, lost),
    confirm: (lost) => readTaken(ctx, (known) => confirmed.findDelivery(known), command, id, lost),
  };
  const born = new Set<Delivery>();
  const delivery = await commitOn(ctx, ground, async (taken) => {
    const birth = await decide(ctx, command, doer, id, taken);
    if (birth !== null) born.add(birth.after);
    return birth;
  });
  const isNew = delivery.id === id;
  if (isNew) ctx.bell.ring(delivery.region);
  return { delivery, isNew, isJustBorn: born.has(delivery) };
}

/**
 * The deliveries in the way: the one that already exists, the one that has used the quote, and the ended one of the same
 * vendor order.
 */
type Taken = Seen & { readonly quoteUsedBy: Delivery | null; readonly endedOrder: Delivery | null };
type Find = (id: DeliveryId) => Promise<Delivery | null>;

/**
 * A claim and the delivery that made it are written together. If the delivery is missing, a failover has taken both
 * back since the claim was read, and the next try may succeed.
 * @param id of the delivery to create
 */
async function readTaken(
  { claims }: Pick<Needs, 'claims'>,
  find: Find,
  command: NewDelivery,
  id: DeliveryId,
  lost: CommitFailure | null,
): Promise<Taken> {
  // A birth is stale only if an earlier try of the same commit was stored after all.
  const own = lost === null ? null : await find(id);
  if (own !== null) return { delivery: own, quoteUsedBy: null, endedOrder: null };
  const { name, quote } = claimsOf(command);
  const known = await findHolder(find, name === null ? null : await claims.find(name));
  const user = lost?.why === 'claimed' && lost.claim.fact === quote ? lost.claim : null;
  const quoteUsedBy = await findHolder(find, user);
  const isOver = command.orderId !== null && known !== null && isTerminal(known.state);
  return isOver
    ? { delivery: null, quoteUsedBy, endedOrder: known }
    : { delivery: known, quoteUsedBy, endedOrder: null };
}

async function findHolder(find: Find, claim: Claim | null): Promise<Delivery | null> {
  return claim === null ? null : find(claim.holder as DeliveryId);
}

/** The birth of the delivery; null if it already exists. */
async function decide(
  ctx: Needs,
  command: NewDelivery,
  doer: Doer,
  id: DeliveryId,
  { delivery: known, quoteUsedBy, endedOrder }: Taken,
): Promise<Change | null> {
  if (known !== null) {
    if (known.contentHash === command.contentHash) return null;
    throw refuseDuplicate(command, known);
  }
  if (quoteUsedBy !== null) throw new Refusal('used_quote', { metadata: { delivery_id: quoteUsedBy.id } });
  return plan(ctx, command, doer, id, endedOrder?.id ?? null);
}

function refuseDuplicate({ orderId }: NewDelivery, { id }: Delivery): Refusal {
  const metadata = { delivery_id: id };
  const other = 'which was created with other content';
  if (orderId === null) {
    const detail = `\`/external_id\` already names the delivery \`${id}\`, ${other}.`;
    return new Refusal('duplicate_delivery', { detail, metadata });
  }
  const detail = `The order \`${orderId}\` already has the open delivery \`${id}\`, ${other}.`;
  // The name stands in the path, so no field of the body is wrong.
  return new Refusal('duplicate_delivery', { detail, errors: [], metadata });
}

async function plan(
  ctx: Needs,
  command: NewDelivery,
  doer: Doer,
  id: DeliveryId,
  endedOrder: DeliveryId | null,
): Promise<Change> {
  if (command.robo !== null && command.liveMode) throw new Refusal('test_mode_only');
  const { vendorId, liveMode, quoteId } = command;
  const [vendor, location, quote, rules] = await Promise.all([
    getOrderingVendor(ctx, vendorId),
    findVendorLocation(ctx, command),
    quoteId === null ? null : ctx.quotes.get(quoteId, vendorId, liveMode),
    quoteId === null ? readRules(ctx, vendorId) : [],
  ]);
  const pickup = pickupOf(command, location);
  const now = ctx.clock.now();
  const { settings } = ctx;
  const [estimateMs, surge] = await Promise.all([
    estimateMsOf(ctx, command, pickup, now),
    quote === null ? readSurge(ctx, rules, pickup.place, liveMode) : 1,
  ]);
  const links = ctx.links.make(command.dropOffs.length);
  return planBirth(command, doer, {
    id,
    vendor,
    location,
    pickup,
    quote,
    endedOrder,
    settings,
    ways: ctx.travel,
    links,
    seal: (verification) => sealPin(ctx.vault, verification),
    estimateMs,
    rules,
    surge,
    ...(quote === null ? wayWithoutQuote(ctx, command, pickup) : quotedWay(quote, command, pickup)),
    now,
  });
}

/** A create never waits for a route. The pre-calculation before it has usually found it. */
function wayWithoutQuote(ctx: Needs, { dropOffs, vehicleTypes }: NewDelivery, { place: pickup }: NewStop): FoundWay {
  return knownWay(ctx, { pickup, dropOffs, vehicle: pricedVehicle(vehicleTypes) });
}

/** The way that the quote has priced. It is visited in that order, also if the places differ a little from the quoted ones. */
function quotedWay(quote: Quote, { dropOffs }: NewDelivery, pickup: NewStop): FoundWay {
  const { visits = visitsQuoted(quote, dropOffs, pickup), polylines } = quote;
  return { visits, way: wayOfQuote(quote), ...(polylines && { polylines }) };
}

/** The order in which an older quote was priced: that of its own places by straight lines. */
function visitsQuoted({ places }: Quote, dropOffs: NewDelivery['dropOffs'], { place }: NewStop): number[] {
  const [quotedPickup = place, ...quoted] = places;
  return visitOrder(
    quotedPickup,
    dropOffs.map((stop, index) => ({ ...stop, place: quoted[index] ?? stop.place })),
  );
}

/** How long the goods are expected to take, ms. Null if the request names their ready time or the end of the search. */
async function estimateMsOf(ctx: Needs, command: NewDelivery, pickup: NewStop, now: number): Promise<number | null> {
  // A caller who names the end of the search wants a result by then, whatever the kitchen does.
  if (command.searchUntilAt !== null) return null;
  const [estimate] = await estimatePreparation(ctx, [{ ...command, pickup, times: { createdAt: now, readyAt: null } }]);
  return estimate?.ms ?? null;
}
