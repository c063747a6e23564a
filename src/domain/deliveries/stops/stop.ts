import type { Coordinates } from '../../geo/geo.ts';
import type { Item } from '../parcel.ts';
import type { DeliverableAction, StopProof, Verification } from '../../proof/verification.ts';
import type { Window } from '../../window.ts';

/**
 * The states of one drop-off. The pickup is a stop too, with only the states pending, arrived and delivered
 * (collected).
 */
export const STOP_STATES = ['pending', 'arrived', 'delivered', 'failed', 'canceled'] as const;
export type StopState = (typeof STOP_STATES)[number];
/** The states in which something may still happen at a stop. */
export const OPEN_STOP_STATES: readonly StopState[] = ['pending', 'arrived'];

export type Contact = { readonly name: string; readonly phone: string; readonly email?: string };

export type Address =
  | string
  | {
      readonly street: string;
      readonly street2?: string;
      readonly city: string;
      readonly state?: string;
      readonly postal_code?: string;
      readonly country: string;
    };

/** How the courier handles goods that they cannot hand over. */
export const UNDELIVERABLE_ACTIONS = ['return', 'leave_at_door', 'discard'] as const;
export type UndeliverableAction = (typeof UNDELIVERABLE_ACTIONS)[number];

/** The pickup (index 0) or one drop-off (index 1 and up) of a delivery. `*At` fields are service time in ms. */
export type Stop = {
  readonly index: number;
  /** The place of the stop in the order of visits: 0 for the pickup, 1 for the first drop-off. */
  readonly visit: number;
  readonly place: Coordinates;
  /** Where the stop was when the delivery was created. Absent if it has not moved. */
  readonly firstPlace?: Coordinates;
  readonly address: Address | null;
  readonly contact: Contact | null;
  readonly instructions: string | null;
  readonly window: Window | null;
  readonly externalId: string | null;
  readonly undeliverableAction: UndeliverableAction;
  /** The name of the business at the pickup. Absent if the vendor gave none. */
  readonly businessName?: string;
  /** The words by which the staff at the pickup know the order. Absent if the vendor gave none. */
  readonly reference?: string;
  /** The goods for this drop-off. Absent if the vendor listed none. */
  readonly items?: readonly Item[];
  /** Value of the goods for this drop-off, minor units. Absent if the vendor did not say. */
  readonly orderValue?: number;
  /** Absent if the courier meets the recipient, which is the usual way. */
  readonly deliverableAction?: DeliverableAction;
  /** Absent if the vendor requires no proof. */
  readonly verification?: Verification;
  /** Absent until the courier gives the first part. */
  readonly proof?: StopProof;
  readonly state: StopState;
  readonly arrivedAt: number | null;
  readonly doneAt: number | null;
  readonly reason: string | null;
};

/** Drop-offs that one delivery may have. */
export const MOST_DROP_OFFS = 10;

/** Says whether nothing more happens at this stop. */
export function isStopEnded({ state }: Pick<Stop, 'state'>): boolean {
  return !OPEN_STOP_STATES.includes(state);
}

/** Stops in the order in which they are visited. */
export function byVisit<S extends Pick<Stop, 'visit'>>(stops: readonly S[]): S[] {
  return stops.toSorted((a, b) => a.visit - b.visit);
}

/**
 * Says whether the goods of a drop-off go back to the pickup. A courier leaves goods only at a drop-off where they arrived.
 * Goods of a canceled stop come back from there as well.
 */
export function mustComeBack({ state, undeliverableAction: action, arrivedAt }: Stop): boolean {
  switch (state) {
    case 'delivered':
      return false;
    case 'failed':
      return action === 'return' || (action === 'leave_at_door' && arrivedAt === null);
    case 'canceled':
    case 'pending':
    case 'arrived':
      return action !== 'discard';
  }
}
