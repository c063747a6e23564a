import type { CallerOf } from './policy.ts';
import type { Channel } from '../domain/deliveries/delivery.ts';
import type { VendorId } from '../domain/ids.ts';
import { Refusal, refuseField } from '../domain/refusals/refusals.ts';
import { unknownVendor } from '../domain/vendors/accept.ts';
import type { Payer } from '../ports/money/billing.ts';
import type { AskedPayer } from './wire/billing/payer.ts';
import type { AskedOwner } from './wire/deliveries/delivery.ts';

type Owner = { readonly vendorId: VendorId; readonly liveMode: boolean; readonly channel: Channel };

/**
 * Finds the owner of a new delivery. A vendor orders for itself in the mode of its key. Staff and services name the
 * vendor. The id of another vendor is refused with `vendor_not_found`, like an unknown one. Only services name a channel
 * and collect order values.
 */
export function ownerOf(caller: CallerOf<'POST /deliveries'>, asked: AskedOwner): Owner {
  if (asked.channel !== null && caller.type !== 'internal') {
    throw notTheirs('/channel', '`/channel` must be left out: only internal services may send it.');
  }
  if (asked.isCollector && caller.type !== 'internal') {
    const pointer = '/order_value_collected_by';
    throw notTheirs(pointer, `\`${pointer}\` must be \`vendor\`: only internal services collect order values.`);
  }
  switch (caller.type) {
    case 'vendor':
      refuseOther(caller, asked);
      return { vendorId: caller.vendorId, liveMode: caller.liveMode, channel: 'dashboard' };
    case 'staff':
    case 'internal':
      return {
        vendorId: asked.vendorId ?? missingVendor(),
        liveMode: asked.liveMode ?? false,
        channel: caller.type === 'staff' ? 'dashboard' : (asked.channel ?? 'internal'),
      };
  }
}

/**
 * The vendor whom a request is about: the caller, or the vendor whom a member of staff names. A vendor who names another
 * one is refused with `vendor_not_found`.
 */
export function vendorOf(caller: CallerOf<'GET /vendor/profile'>, asked: VendorId | null | undefined): VendorId {
  if (caller.type === 'staff') return asked ?? missingVendor();
  if (asked !== null && asked !== undefined && asked !== caller.vendorId) throw unknownVendor();
  return caller.vendorId;
}

/**
 * The account whose money a request is about: that of the caller, or the one that staff name. A vendor who names another
 * account is refused as in `ownerOf`. Staff who name no mode mean live mode.
 */
export function payerOf(
  caller: CallerOf<'GET /billing/transactions'>,
  { vendor_id: vendorId, live_mode: liveMode }: AskedPayer,
): Payer {
  if (caller.type === 'staff') return { vendorId: vendorId ?? missingVendor(), liveMode: liveMode ?? true };
  refuseOther(caller, { vendorId: vendorId ?? null, liveMode: liveMode ?? null });
  return { vendorId: caller.vendorId, liveMode: caller.liveMode };
}

/** The owner of a delivery or quote that a vendor requests through the express paths. */
export function expressOwner(caller: CallerOf<'POST /express/deliveries'>, asked: AskedOwner): Owner {
  return { ...ownerOf(caller, asked), channel: 'express' };
}

/** Refuses a vendor who names another account or mode than that of its key. */
export function refuseOther(
  caller: CallerOf<'POST /express/deliveries'>,
  asked: Pick<AskedOwner, 'vendorId' | 'liveMode'>,
): void {
  if (asked.vendorId !== null && asked.vendorId !== caller.vendorId) throw unknownVendor();
  if (asked.liveMode !== null && asked.liveMode !== caller.liveMode) {
    throw notTheirs('/live_mode', `\`/live_mode\` must be \`${caller.liveMode}\`, the mode of the API key.`);
  }
}

function notTheirs(pointer: string, detail: string): Refusal {
  return new Refusal('forbidden', { detail, errors: [{ pointer, code: 'forbidden', message: detail }] });
}

function missingVendor(): never {
  throw refuseField('/vendor_id', 'required', 'must be given, because the caller is not a vendor');
}
