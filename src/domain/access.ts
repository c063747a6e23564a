import type { CourierId, DeliveryId, KeyId, LinkId, SessionId, StaffId, VendorId } from './ids.ts';
import { Refusal } from './refusals/refusals.ts';
import type { Actor, Delivery } from './deliveries/delivery.ts';

export const STAFF_ROLES = ['dispatcher', 'support', 'finance', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Staff who may see identity documents and decide about them. */
export const REVIEWERS = ['support', 'admin'] as const satisfies readonly StaffRole[];

export const SCOPE_AREAS = ['deliveries', 'billing', 'wallets', 'webhooks', 'vendor', 'keys'] as const;
export type ScopeArea = (typeof SCOPE_AREAS)[number];
/** The right of an API key to read or to write in one area. To write does not include to read. */
export type Scope = `${ScopeArea}:${'read' | 'write'}`;
export const SCOPES: readonly Scope[] = SCOPE_AREAS.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`]);

/** Refuses `insufficient_scope` if a key's scopes do not include this one. */
export function refuseMissingScope(scopes: readonly Scope[], scope: Scope): void {
  if (scopes.includes(scope)) return;
  const detail = `The API key must have the scope \`${scope}\` for this.`;
  throw new Refusal('insufficient_scope', { detail, metadata: { scope } });
}

/** The caller, as the credential proves it. Nothing in a body or a payload can change it. */
export type Caller =
  | {
      readonly type: 'vendor';
      readonly vendorId: VendorId;
      readonly liveMode: boolean;
      readonly keyId: KeyId;
      readonly scopes: readonly Scope[];
      readonly expiresAt: number | null;
      /** The version of the API for requests that name none. */
      readonly apiVersion: string;
    }
  | {
      readonly type: 'courier';
      readonly courierId: CourierId;
      readonly liveMode: boolean;
      readonly sessionId: SessionId;
      readonly expiresAt: number;
    }
  | {
      readonly type: 'staff';
      readonly staffId: StaffId;
      readonly roles: readonly StaffRole[];
      readonly sessionId: SessionId;
      readonly expiresAt: number;
    }
  | { readonly type: 'internal'; readonly service: string; readonly expiresAt: number }
  | {
      readonly type: 'recipient';
      readonly deliveryId: DeliveryId;
      readonly linkId: LinkId;
      /** The drop-off of this recipient. They see nothing of the other drop-offs. */
      readonly stop: number;
      readonly expiresAt: number | null;
    };

export type CallerType = Caller['type'];

/** A credential that can end before it expires: the session of a login, or a vendor's key. */
export type CredentialId = SessionId | KeyId;

/** The credential whose end takes away the caller's right to act. Null if that right ends only by expiry. */
export function credentialOf(caller: Caller): CredentialId | null {
  switch (caller.type) {
    case 'vendor':
      return caller.keyId;
    case 'courier':
    case 'staff':
      return caller.sessionId;
    case 'internal':
    case 'recipient':
      return null;
  }
}

/** The account of the caller, as one word. All API keys of a vendor's mode share one; recipients are `anyone`. */
export function accountOf(caller: Caller | null): string {
  // The path contains the token of a recipient.
  if (caller === null || caller.type === 'recipient') return 'anyone';
  switch (caller.type) {
    case 'vendor':
      return `${caller.vendorId} ${caller.liveMode ? 'live' : 'test'}`;
    case 'courier':
      return caller.courierId;
    case 'staff':
      return caller.staffId;
    case 'internal':
      return `internal ${caller.service}`;
  }
}

/** The caller as the actor that events name. A recipient only reads. */
export function actorOf(caller: Exclude<Caller, { type: 'recipient' }>): Actor {
  switch (caller.type) {
    case 'vendor':
      return { type: 'vendor', id: caller.vendorId };
    case 'courier':
      return { type: 'courier', id: caller.courierId };
    case 'staff':
      return { type: 'staff', id: caller.staffId };
    case 'internal':
      return { type: 'internal', id: caller.service };
  }
}

/** Says whether this caller may know that the delivery exists. To all others it is absent (404). */
export function maySee(caller: Caller, delivery: Delivery): boolean {
  switch (caller.type) {
    case 'vendor':
      return delivery.vendorId === caller.vendorId && delivery.liveMode === caller.liveMode;
    case 'courier':
      return delivery.courierId === caller.courierId;
    case 'staff':
    case 'internal':
      return true;
    case 'recipient':
      return delivery.id === caller.deliveryId;
  }
}
