import type { Coordinates } from '../geo/geo.ts';
import type { Parcel, Priority } from './parcel.ts';
import type { CourierId, DeliveryId, LinkId, LocationId, QuoteId, VendorId } from '../ids.ts';
import type { ActorType, FailReason, RoboOutcome, RoboStep, Stage, State, Verb } from './states.ts';
import type { CourierCard, VehicleType } from '../couriers/courier.ts';
import type { Funds } from '../pricing/funds.ts';
import type { Zones } from '../vendors/time-zone.ts';
import type { QuoteLine } from './quote.ts';
import { byVisit, isStopEnded, type Stop } from './stops/stop.ts';
import type { Window } from '../window.ts';
import type { Way } from './way.ts';

export const CHANNELS = ['express', 'dashboard', 'chat', 'order', 'internal'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The collectors of order values: the vendor itself, or a service of the platform for it. */
export const COLLECTORS = ['vendor', 'service'] as const;

/** The author of a change: the kind of caller and, if they have one, their id. */
export type Actor = { readonly type: ActorType; readonly id: string | null };

/** How a robo-courier moves: `timeScale` times faster than its steps say. An absent field has its default. */
export type RoboSpec = {
  readonly timeScale: number;
  /** How the test goes; by default the goods are delivered. */
  readonly outcome?: Exclude<RoboOutcome, 'delivered'>;
  /** Why the drop-offs fail, if the outcome is `failed`. */
  readonly failReason?: FailReason;
  /** How long each step takes in seconds before it is divided; by default 30. */
  readonly stepsS?: { readonly [S in RoboStep]?: number };
  /** Places that the robo-courier passes between the pickup and the first drop-off, spread evenly over that step. */
  readonly gpsTrace?: readonly Coordinates[];
};

/**
 * When the goods can be collected, as far as the vendor and the estimate say, beside the pickup's window. Service time
 * in ms.
 */
export type Preparation = {
  /** The ready time in the create request; null if the request had none. */
  readonly namedAt: number | null;
  /** The estimated preparation time at the order. Null if the request named a ready time or the end of the search. */
  readonly estimateMs: number | null;
  /** How often the vendor put off the pickup, and the sum of the delays. */
  readonly delays: number;
  readonly delayedMs: number;
  /** The last requested delay in minutes. The same request at the same moment is a repeat and adds nothing. */
  readonly lastDelay: { readonly minutes: number; readonly at: number; readonly actor: Actor } | null;
  /** The reason of the last delay. Absent if the vendor gave none. */
  readonly delayReason?: string;
  /** The ready time when the courier arrived, if a delay or a report came after it. Waiting counts from it. */
  readonly waitsFromAt?: number;
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
  /** The vendor location that the create named. Absent if it named none, and in deliveries of earlier releases. */
  readonly locationId?: LocationId;
  /** The time zones of its dates in analytics, as of its birth. Absent in deliveries of earlier releases. */
  readonly timeZones?: Zones;
  readonly externalId: string | null;
  /** The vendor's order; absent if the delivery was not dispatched for one. */
  readonly orderId?: string;
  /** Hash of the parsed create body without quote_id. It distinguishes a retry from another create. */
  readonly contentHash: string;
  readonly state: State;
  readonly stage: Stage | null;
  /** Rises by one with each commit. */
  readonly version: number;
  /** Number of the newest event. */
  readonly sequence: number;
  /** The verb, stop and actor that made the present state. A repeat of the same verb succeeds and changes nothing. */
  readonly madeBy: { readonly verb: Verb; readonly stop: number | null; readonly actor: Actor };
  readonly priority: Priority;
  readonly pickup: Stop;
  readonly preparation: Preparation;
  readonly dropOffs: readonly Stop[];
  readonly metadata: Parcel;
  readonly vehicleTypes: readonly VehicleType[];
  readonly custom: Readonly<Record<string, string | number | boolean>>;
  /** The tip for the courier, minor units; it is not part of the fee. Absent if the vendor gave none. */
  readonly tip?: number;
  /** The promotion that the vendor named. Absent if they named none. */
  readonly promo?: string;
  /**
   * Present if a service of the platform has collected the order values of the drop-offs, which are then owed to the
   * vendor. Absent if the vendor collects them itself.
   */
  readonly orderValueCollectedBy?: 'service';
  /** Whether the vendor wants the recipients to be notified. Absent if they did not ask for it. */
  readonly notifyRecipient?: boolean;
  readonly quoteId: QuoteId | null;
  readonly fee: number;
  readonly currency: string;
  readonly feeBreakdown: readonly QuoteLine[];
  /** Absent if the delivery is free: a return, and a delivery stored before the field existed. */
  readonly funds?: Funds;
  readonly distanceM: number;
  readonly durationS: number;
  /** The source of distance and duration. Absent in deliveries stored before the field existed: then it is an estimate. */
  readonly distanceSource?: Way['distanceSource'];
  /** The H3 region of the pickup. The leader of this region searches for a courier. */
  readonly region: string;
  /** `SearchSpan` explains these four. */
  readonly searchFromAt: number;
  readonly searchCountsFromAt: number;
  readonly searchUntilAt: number;
  readonly searchLimitMs: number;
  readonly courierId: CourierId | null;
  readonly courier: CourierCard | null;
  /** Couriers who gave this delivery back. They receive no more offers for it. */
  readonly formerCouriers: readonly CourierId[];
  readonly robo: RoboSpec | null;
  /** One link per drop-off. Deliveries from the time of a single link have only the link of the last visit. */
  readonly links: readonly TrackingLink[];
  readonly related: readonly DeliveryId[];
  readonly outcome: 'complete' | 'partial' | null;
  readonly ending: {
    readonly by: ActorType;
    readonly reason: string | null;
    /** The words of the caller beside the reason. Absent if they gave none. */
    readonly comment?: string;
  } | null;
  readonly times: Times;
};

/**
 * One assignment of a courier to a delivery. Assigning the same courier again makes another one. `at` is service time
 * in ms.
 */
export type Assignment = { readonly courierId: CourierId; readonly at: number };

type HasTimes = { readonly times: Pick<Times, 'assignedAt' | 'createdAt'> };

/** The present assignment, or null while the delivery has no courier. A return is assigned at its birth. */
export function assignmentOf(delivery: HasTimes & { readonly courierId: CourierId }): Assignment;
export function assignmentOf(delivery: HasTimes & Pick<Delivery, 'courierId'>): Assignment | null;
export function assignmentOf({ courierId, times }: HasTimes & Pick<Delivery, 'courierId'>): Assignment | null {
  return courierId === null ? null : { courierId, at: times.assignedAt ?? times.createdAt };
}

/** Says whether two assignments are the same one. */
export function isSameAssignment(a: Assignment | null, b: Assignment | null): boolean {
  return a?.courierId === b?.courierId && a?.at === b?.at;
}

/** When each thing first happened; null if it has not. */
export type Times = {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly searchingAt: number | null;
  readonly assignedAt: number | null;
  /** When the vendor reported the goods ready. A delay takes this report back. */
  readonly readyAt: number | null;
  readonly arrivedPickupAt: number | null;
  readonly pickedUpAt: number | null;
  readonly inTransitAt: number | null;
  readonly arrivedDropOffAt: number | null;
  readonly deliveredAt: number | null;
  readonly canceledAt: number | null;
  readonly failedAt: number | null;
};

/** When the delivery ended, service time in ms; null while it is open. */
export function endedAtOf({ times }: Pick<Delivery, 'times'>): number | null {
  return times.deliveredAt ?? times.canceledAt ?? times.failedAt;
}

/** The times of a delivery that is born now. Nothing else has happened yet. */
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

/**
 * The preparation of a delivery that is born with this pickup window or, without a ready time, with this estimate. It
 * has no delays yet.
 */
export function preparationAtBirth(window: Window | null, estimateMs: number | null): Preparation {
  return { namedAt: window?.readyAt ?? null, estimateMs, delays: 0, delayedMs: 0, lastDelay: null };
}

type OneStop = Pick<Stop, 'index' | 'visit' | 'state'>;
type Stops<S extends OneStop> = { readonly pickup: S; readonly dropOffs: readonly S[] };

/** The stops that are still open: first the one where the courier is, then the others in the order of visits. */
export function openStops<S extends Pick<Stop, 'visit' | 'state'>>(stops: readonly S[]): S[] {
  const open = byVisit(stops.filter((stop) => !isStopEnded(stop)));
  const here = open.findIndex(({ state }) => state === 'arrived');
  return here < 1 ? open : [open[here]!, ...open.toSpliced(here, 1)];
}

/** The open stops of the delivery, in the order of `openStops`. */
export function stopsToGo<S extends OneStop>({ pickup, dropOffs }: Stops<S>): S[] {
  return openStops([pickup, ...dropOffs]);
}

/** The open drop-offs, in the same order. */
export function dropOffsToGo<S extends OneStop>(delivery: Stops<S>): S[] {
  return stopsToGo(delivery).filter(({ index }) => index > 0);
}

/** The drop-off that is visited next, or null. */
export function nextDropOff<S extends OneStop>(delivery: Stops<S>): S | null {
  return dropOffsToGo(delivery)[0] ?? null;
}

/** The stop with this number: 0 is the pickup, 1 and up are the drop-offs. Null if the delivery has no such stop. */
export function stopAt(delivery: Delivery, index: number): Stop | null {
  return index === 0 ? delivery.pickup : (delivery.dropOffs[index - 1] ?? null);
}

/** The drop-off that is visited last. Its link is the link of the delivery, where only one can be given. */
export function lastVisitOf({ dropOffs, pickup }: Pick<Delivery, 'dropOffs' | 'pickup'>): Stop {
  return byVisit(dropOffs).at(-1) ?? pickup;
}

/** The reason of the last delay, while the courier still has to wait. Null if the vendor gave none. */
export function delayReasonOf({ preparation, times }: Pick<Delivery, 'preparation' | 'times'>): string | null {
  const isOver = [times.readyAt, times.pickedUpAt, times.canceledAt].some((at) => at !== null);
  return isOver ? null : (preparation.delayReason ?? null);
}

/**
 * When the courier is due at the pickup, service time in ms: the later of the ready time and the assignment. A courier
 * who was found a moment ago is not late because the food was ready long ago.
 */
export function pickupDueAt({ pickup, times }: Pick<Delivery, 'pickup' | 'times'>): number {
  return Math.max(pickup.window?.readyAt ?? 0, times.assignedAt ?? times.createdAt);
}
