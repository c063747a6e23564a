import type { CourierId, DeviceId, SessionId } from '../ids.ts';

export const PLATFORMS = ['ios', 'android', 'web'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The services that carry pushes: Firebase Cloud Messaging, or a server of the operator. */
export const PUSH_PROVIDERS = ['fcm', 'webhook'] as const;
export type PushProvider = (typeof PUSH_PROVIDERS)[number];

/** Devices that one courier may have. One more takes the place of the one that registered first. */
export const MOST_DEVICES = 5;

/** A phone that pushes can wake. It belongs to the session that registered it. */
export type Device = {
  readonly id: DeviceId;
  readonly courierId: CourierId;
  readonly sessionId: SessionId;
  /** The address of the app at the push service. */
  readonly token: string;
  readonly platform: Platform;
  readonly appVersion: string | null;
  readonly provider: PushProvider | null;
  /** When the app registered it last, service time in ms. */
  readonly registeredAt: number;
};
