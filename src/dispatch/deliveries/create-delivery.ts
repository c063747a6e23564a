import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change, Claim } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import type { Doer, NewDelivery, NewStop } from '../commands.ts';
import { estimatePreparation } from '../learning/estimate-preparation.ts';
import { findVendorLocation } from './vendor-location.ts';
import { claimsOf, pickupOf, planBirth } from './plan-birth.ts';

type Needs = Pick<
  Context,
  'vendors' | 'quotes' | 'claims' | 'confirmed' | 'links' | 'commit' | 'clock' | 'preparation' | 'settings' | 'bell'
>;
type Created = { readonly delivery: Delivery; readonly isNew: boolean };

/**
 * Creates a delivery, once: an `external_id` seen before with the same content gives the delivery of then. Refuses
 * `duplicate_delivery` for other content, `expired_quote`, `used_quote` and `mismatched_price_quote`,
 * `location_not_found`, `test_mode_only`, and what the guards of the table refuse.
 */
export async function createDelivery(ctx: Needs, command: NewDelivery, doer: Doer): Promise<Created> {
  const known = await findKnown(ctx, command);
  if (known !== null) return { delivery: known, isNew: false };
  const change = await decide(ctx, command, doer);
  const result = await ctx.commit(change);
  if (result.ok) {
    ctx.bell.ring(change.after.region);
    return { delivery: change.after, isNew: true };
  }
  return result.why === 'claimed' ? answerLoser(ctx, command, change, result.claim) : bornBefore(ctx, change);
}

async function decide(ctx: Needs, command: NewDelivery, doer: Doer): Promise<Change> {
  if (command.robo !== null && command.liveMode) throw new Refusal('test_mode_only');
  const { vendorId, liveMode, quoteId } = command;
  const [vendor, location, quote] = await Promise.all([
    ctx.vendors.get(vendorId),
    findVendorLocation(ctx, command),
    quoteId === null ? null : ctx.quotes.get(quoteId, vendorId, liveMode),
  ]);
  const pickup = pickupOf(command, location);
  const now = ctx.clock.now();
  const estimateMs = await estimateMsOf(ctx, command, pickup, now);
  const { settings } = ctx;
  const links = ctx.links.make(command.dropOffs.length);
  return planBirth(command, doer, { vendor, location, pickup, quote, settings, links, estimateMs, now });
}

/** How long the goods are expected to take, ms; null when their ready time or the end of the search is named. */
async function estimateMsOf(ctx: Needs, command: NewDelivery, pickup: NewStop, now: number): Promise<number | null> {
  // Who names the end of the search wants to know by then, whatever the kitchen.
  if (command.searchUntilAt !== null) return null;
  const [estimate] = await estimatePreparation(ctx, [{ ...command, pickup, times: { createdAt: now, readyAt: null } }]);
  return estimate?.ms ?? null;
}

/** The delivery that this `external_id` names already; null when none. */
async function findKnown(ctx: Pick<Needs, 'claims' | 'confirmed'>, command: NewDelivery): Promise<Delivery | null> {
  const { external } = claimsOf(command);
  const claim = external === null ? null : await ctx.claims.find(external);
  if (claim === null) return null;
  // The claim and its holder are written together. No holder: a failover has taken both back since the claim was read.
  const delivery = await ctx.confirmed.findDelivery(claim.holder as DeliveryId);
  if (delivery === null || delivery.contentHash === command.contentHash) return delivery;
  throw new Refusal('duplicate_delivery', {
    detail: `\`/external_id\` already names the delivery \`${delivery.id}\`, which was created with other content.`,
    metadata: { delivery_id: delivery.id },
  });
}

/** A claim was lost: to the same request sent twice, or to another one that used the quote. */
async function answerLoser(ctx: Needs, command: NewDelivery, change: Change, claim: Claim): Promise<Created> {
  if (claim.holder === change.after.id) return bornBefore(ctx, change);
  const winner = await findKnown(ctx, command);
  if (winner !== null) return { delivery: winner, isNew: false };
  const user = await ctx.confirmed.findDelivery(claim.holder as DeliveryId);
  // A failover took back what had the claim: the next try has it.
  if (user === null || claim.fact !== claimsOf(command).quote) throw new Refusal('busy');
  throw new Refusal('used_quote', { metadata: { delivery_id: user.id } });
}

/** A birth is stale only when an earlier try of the same commit was stored after all. */
async function bornBefore(ctx: Pick<Needs, 'confirmed'>, { after }: Change): Promise<Created> {
  const delivery = await ctx.confirmed.findDelivery(after.id);
  if (delivery === null) throw new Refusal('busy');
  return { delivery, isNew: true };
}
