import type { CallerOf } from './policy.ts';
import type { Channel } from '../domain/delivery.ts';
import type { VendorId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals.ts';
import type { AskedOwner } from './wire/delivery.ts';

type Owner = { readonly vendorId: VendorId; readonly liveMode: boolean; readonly channel: Channel };

/**
 * For whom a delivery is made. A vendor asks for itself in its key's mode; staff and services name the vendor.
 * Another vendor's id answers `vendor_not_found`, like an absent one.
 */
export function ownerOf(caller: CallerOf<'POST /deliveries'>, asked: AskedOwner): Owner {
  if (asked.channel !== null && caller.type !== 'internal')
    throw new Refusal('forbidden', { detail: 'the channel is for internal services' });
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

/** The owner of what a vendor asks for through the express paths. */
export function expressOwner(caller: CallerOf<'POST /express/deliveries'>, asked: AskedOwner): Owner {
  return { ...ownerOf(caller, asked), channel: 'express' };
}

function refuseOther(caller: CallerOf<'POST /express/deliveries'>, asked: AskedOwner): void {
  if (asked.vendorId !== null && asked.vendorId !== caller.vendorId) throw new Refusal('vendor_not_found');
  if (asked.liveMode !== null && asked.liveMode !== caller.liveMode) {
    throw new Refusal('forbidden', { detail: 'the key decides the mode' });
  }
}

function missingVendor(): never {
  const message = 'name the vendor';
  throw new Refusal('invalid_params', {
    detail: `/vendor_id: ${message}`,
    errors: [{ pointer: '/vendor_id', code: 'invalid_type', message }],
  });
}
