/** Callers as their credentials would prove them. */
import { SCOPES, type Caller } from '../src/domain/access.ts';
import type { Courier } from '../src/domain/couriers/courier.ts';
import type { Delivery } from '../src/domain/deliveries/delivery.ts';
import { newId } from '../src/domain/ids.ts';
import { NOON } from './builders.ts';
import { API_VERSION } from '../src/domain/deliveries/events.ts';

const FAR_AHEAD = NOON * 2;

export function asVendor({ vendorId, liveMode }: Pick<Delivery, 'vendorId' | 'liveMode'>): Caller & { type: 'vendor' } {
  return {
    type: 'vendor',
    vendorId,
    liveMode,
    keyId: newId('key'),
    apiVersion: API_VERSION,
    scopes: SCOPES,
    expiresAt: null,
  };
}

export function asCourier({ id, liveMode }: Pick<Courier, 'id' | 'liveMode'>): Caller & { type: 'courier' } {
  return { type: 'courier', courierId: id, liveMode, sessionId: newId('ses'), expiresAt: FAR_AHEAD };
}

export function asStaff(over: Partial<Caller & { type: 'staff' }> = {}): Caller & { type: 'staff' } {
  return {
    type: 'staff',
    staffId: newId('stf'),
    roles: ['dispatcher'],
    sessionId: newId('ses'),
    expiresAt: FAR_AHEAD,
    ...over,
  };
}

export function asInternal(service = 'chat'): Caller & { type: 'internal' } {
  return { type: 'internal', service, expiresAt: FAR_AHEAD };
}
