import type { Parcel, Priority } from './parcel.ts';
import type { CourierId, DeliveryId, LinkId, QuoteId, VendorId } from '../ids.ts';
import type { ActorType, Stage, State, Verb } from './states.ts';
import type { CourierCard, VehicleType } from '../couriers/courier.ts';
import type { QuoteLine } from './quote.ts';
import { byVisit, isStopEnded, type Stop } from './stop.ts';
import type { Window } from '../window.ts';

export const CHANNELS = ['express', 'dashboard', 'chat', 'order', 'internal'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Who did something: the kind of caller and, where there is one, the id. */
export type Actor = { readonly type: ActorType; readonly id: string | null };

/** A robo-courier's orders: how many times faster than the 30 s a step it goes. */
export type RoboSpec = { readonly timeScale: number };

/** What was said and expected of when the goods can be collected, beside the pickup's window. Service time in ms. */
export type Preparation = {
  /** The ready time that the create named; null when it named none. */
  readonly namedAt: number | null;
  /** How long the goods were expected to take, as of the order; null when a ready time or the end of the search was named. */
  readonly estimateMs: number | null;
  /** How often the pickup was put off, and by how much in all. */
  readonly delays: number;
  readonly delayedMs: number;
  /** The last delay that was asked for in minutes: the same asked again in the same moment is no other one. */
  readonly lastDelay: { readonly minutes: number; readonly at: number; readonly actor: Actor } | null;
  /** Why it was put off last; absent where nobody said, and in deliveries stored before it was kept. */
  readonly delayReason?: string;
};

/** The link of one drop-off's recipient. Its token follows from the id and a secret, and only the token's hash is stored. */
export type TrackingLink = { readonly stop: number; readonly id: LinkId; readonly tokenHash: string };

/** One delivery as stored. `*At` fields are service time in epoch ms, amounts are minor units. */
export type Delivery = {
  readonly id: DeliveryId;
  readonly kind: 'delivery' | 'return';
  readonly liveMode: boolean;
  readonly channel: Channel;
  readonly vendorId: VendorId;
  readonly externalId: string | null;
  /** Hash of the parsed create body without quote_id: tells a retried create from another one. */
  readonly contentHash: string;
  readonly state: State;
  readonly stage: Stage | null;
  /** Rises by one with each commit. */
  readonly version: number;
  /** Number of the newest event. */
  readonly sequence: number;
  /** The verb, stop and actor that made the present state: the same again is answered, not refused. */
  readonly madeBy: { readonly verb: Verb; readonly stop: number | null; readonly actor: Actor };
  readonly priority: Priority;
  readonly pickup: Stop;
  readonly preparation: Preparation;
  readonly dropOffs: readonly Stop[];
  readonly metadata: Parcel;
  readonly vehicleTypes: readonly VehicleType[];
  readonly custom: Readonly<Record<string, string | number | boolean>>;
  readonly quoteId: QuoteId | null;
  readonly fee: number;
  readonly currency: string;
  readonly feeBreakdown: readonly QuoteLine[];
  readonly distanceM: number;
  readonly durationS: number;
  /** The H3 region of the pickup: whose leader searches. */
  readonly region: string;
  /** See `SearchSpan` for the four. */
  readonly searchFromAt: number;
  readonly searchCountsFromAt: number;
  readonly searchUntilAt: number;
  readonly searchLimitMs: number;
  readonly courierId: CourierId | null;
  readonly courier: CourierCard | null;
  /** Couriers who gave this delivery back; they are not asked again. */
  readonly formerCouriers: readonly CourierId[];
  readonly robo: RoboSpec | null;
  /** One for each drop-off. Deliveries made when there was one link have that of the last visit alone. */
  readonly links: readonly TrackingLink[];
  readonly related: readonly DeliveryId[];
  readonly outcome: 'complete' | 'partial' | null;
  readonly ending: { readonly by: ActorType; readonly reason: string | null } | null;
  readonly times: Times;
};

/** One hold of a courier on a delivery; the same courier assigned again has another one. `at` is service time in ms. */
export type Assignment = { readonly courierId: CourierId; readonly at: number };

/** The present assignment, or null while nobody holds the delivery. A return is assigned by its birth. */
export function assignmentOf({ courierId, times }: Pick<Delivery, 'courierId' | 'times'>): Assignment | null {
  return courierId === null ? null : { courierId, at: times.assignedAt ?? times.createdAt };
}

/** Says whether two assignments are the same one. */
export function isSameAssignment(a: Assignment | null, b: Assignment | null): boolean {
  return a?.courierId === b?.courierId && a?.at === b?.at;
}

/** When each thing happened first; null while it has not. */
export type Times = {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly searchingAt: number | null;
  readonly assignedAt: number | null;
  /** When the vendor called the goods ready; a delay takes the word back. */
  readonly readyAt: number | null;
  readonly arrivedPickupAt: number | null;
  readonly pickedUpAt: number | null;
  readonly inTransitAt: number | null;
  readonly arrivedDropOffAt: number | null;
  readonly deliveredAt: number | null;
  readonly canceledAt: number | null;
  readonly failedAt: number | null;
};

/** The times of a delivery that is born now: nothing else has happened yet. */
export function timesAtBirth(now: number): Times {
  return {
    createdAt: now,
    updatedAt: now,
    searchingAt: null,
    assignedAt: null,
    readyAt: null,
    arrivedPickupAt: null,
    pickedUpAt: null,
    inTransitAt: null,
    arrivedDropOffAt: null,
    deliveredAt: null,
    canceledAt: null,
    failedAt: null,
  };
}

/** The preparation of a delivery that is born with this pickup window, or else this estimate: nobody has put it off yet. */
export function preparationAtBirth(window: Window | null, estimateMs: number | null): Preparation {
  return { namedAt: window?.readyAt ?? null, estimateMs, delays: 0, delayedMs: 0, lastDelay: null };
}

/** Those of the stops that are still open: where the courier is, then the others in the order in which they are visited. */
export function openStops<S extends Pick<Stop, 'visit' | 'state'>>(stops: readonly S[]): S[] {
  const open = byVisit(stops.filter((stop) => !isStopEnded(stop)));
  const here = open.findIndex(({ state }) => state === 'arrived');
  return here < 1 ? open : [open[here]!, ...open.toSpliced(here, 1)];
}

/** The stops of the delivery that are still to come, as `openStops` orders them. */
export function stopsToGo({ pickup, dropOffs }: Delivery): Stop[] {
  return openStops([pickup, ...dropOffs]);
}

/** The drop-offs among them. */
export function doorsToGo(delivery: Delivery): Stop[] {
  return stopsToGo(delivery).filter(({ index }) => index > 0);
}

/** The drop-off that is visited next, or null. */
export function nextDropOff(delivery: Delivery): Stop | null {
  return doorsToGo(delivery)[0] ?? null;
}

/** The stop of this number: 0 is the pickup, 1 and up the drop-offs; null when there is none. */
export function stopAt(delivery: Delivery, index: number): Stop | null {
  return index === 0 ? delivery.pickup : (delivery.dropOffs[index - 1] ?? null);
}

/** The drop-off that is visited last: its link is the delivery's own, where only one can be given. */
export function lastVisitOf({ dropOffs, pickup }: Pick<Delivery, 'dropOffs' | 'pickup'>): Stop {
  return byVisit(dropOffs).at(-1) ?? pickup;
}

/** Why the goods are put off, while that still makes anybody wait; null when nobody said. */
export function delayReasonOf({ preparation, times }: Pick<Delivery, 'preparation' | 'times'>): string | null {
  const isOver = [times.readyAt, times.pickedUpAt, times.canceledAt].some((at) => at !== null);
  return isOver ? null : (preparation.delayReason ?? null);
}
