import type { QuoteId, VendorId } from '../ids.ts';
import type { Coordinates } from '../geo/geo.ts';
import type { Split } from '../pricing/split.ts';
import type { Parcel, Priority } from './parcel.ts';

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
  readonly fee: number;
  readonly currency: string;
  readonly feeBreakdown: readonly QuoteLine[];
  /** The shares of the fee. Absent in quotes stored before the field existed: then the customer pays all of it. */
  readonly split?: Split;
  /** The weight without a surcharge by the rule of the quote, kg. Absent in quotes stored before the field existed. */
  readonly freeKg?: number;
  readonly distanceM: number;
  readonly durationS: number;
  readonly createdAt: number;
  readonly expiresAt: number;
};
