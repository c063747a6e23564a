import type { VehicleType } from '../couriers/courier.ts';
import type { QuoteId, VendorId } from '../ids.ts';
import type { Coordinates } from '../geo/geo.ts';
import type { AppliedSubsidy, Split } from '../pricing/split.ts';
import { Refusal } from '../refusals/refusals.ts';
import { isoTime, type EtaRange } from '../time.ts';
import type { Parcel, Priority } from './parcel.ts';
import type { Way } from './way.ts';

export const LINE_TYPES = ['base', 'distance', 'weight', 'priority', 'surge', 'tax'] as const;

/** One named part of a fee, in minor units; the parts of a quote sum exactly to its fee. Keys are wire form. */
export type QuoteLine = { readonly type: (typeof LINE_TYPES)[number]; readonly amount: number };

/** A price promised until `expiresAt` for exactly these inputs. It can be used once. */
export type Quote = {
  readonly id: QuoteId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  /** The pickup and the drop-offs as they were listed. */
  readonly places: readonly Coordinates[];
  /** True if several drop-offs are visited in the listed order, since one of them has a window. */
  readonly isTimed: boolean;
  readonly metadata: Parcel;
  readonly priority: Priority;
  /** The first of the vehicles that the request named, whose way has the price. Absent if it named none: then any may be used. */
  readonly vehicle?: VehicleType;
  readonly fee: number;
  readonly currency: string;
  readonly feeBreakdown: readonly QuoteLine[];
  /** The shares of the fee. Absent in quotes stored before the field existed: then the customer pays all of it. */
  readonly split?: Split;
  /** The weight without a surcharge by the rule of the quote, kg. Absent in quotes stored before the field existed. */
  readonly freeKg?: number;
  /** The waiting that is expected. Absent in quotes stored before the field existed. */
  readonly waiting?: WaitingEstimate;
  /** The couriers near the pickup when the quote was made. Absent in quotes stored before the field existed. */
  readonly outlook?: PickupOutlook;
  /** The subsidy that was applied to the quote after it was made. `split` contains it. */
  readonly subsidy?: AppliedSubsidy;
  readonly distanceM: number;
  readonly durationS: number;
  /** The source of distance and duration. Absent in quotes stored before the field existed: then it is an estimate. */
  readonly distanceSource?: Way['distanceSource'];
  /** The numbers of the drop-offs in the order of visits, whose way has the price. Absent in quotes stored before the field existed. */
  readonly visits?: readonly number[];
  /** The line along streets of each leg, in the order of visits, encoded. Absent if the way is an estimate, and in older quotes. */
  readonly polylines?: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A quote to which its vendor has applied a subsidy. */
export type SubsidizedQuote = Quote & { readonly split: Split; readonly subsidy: AppliedSubsidy };

/** The minutes of waiting at the pickup that will probably be charged, and their charge in minor units. Keys are wire form. */
export type WaitingEstimate = { readonly minutes: number; readonly amount: number };

/** The free couriers near a pickup, and the expected time of the pickup. Null stands for what is not known. */
export type PickupOutlook = { readonly couriersNear: number | null; readonly eta: EtaRange | null };

/** The way that the quote has priced. */
export function wayOfQuote({ distanceM, durationS, distanceSource = 'estimate' }: Quote): Way {
  return { distanceM, durationS, distanceSource };
}

/** The fact that a delivery uses this quote. */
export function useClaim(id: QuoteId): string {
  return `quote:${id}`;
}

/**
 * The fact that settles whether the quote has a subsidy. The subsidy claims it, or else the delivery that uses the quote
 * without one. So no quote gets a subsidy after its price was used.
 */
export function subsidyClaim(id: QuoteId): string {
  return `subsidy:${id}`;
}

/** The refusal of a quote that has expired. */
export function refuseExpiredQuote({ expiresAt }: Quote): Refusal {
  return new Refusal('expired_quote', {
    detail: `The quote was valid until ${isoTime(expiresAt)}. Request a new one.`,
  });
}
