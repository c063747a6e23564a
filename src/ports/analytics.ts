/** Roll-ups of what has ended, and the ratings. */
import type { Opinion, Rating } from '../domain/analytics/rating.ts';
import type { Addition, CountedEvent, RollUpKey } from '../domain/analytics/roll-up.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { Sums } from '../domain/analytics/sums.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { CourierId, DeliveryId, RefundId, VendorId } from '../domain/ids.ts';
import type { Offer } from '../domain/offers/offer.ts';
import type { Page, PageRequest } from './pages.ts';

/** A rating, and the part of it that the roll-ups have counted; null if they have counted nothing. */
export type DueRating = { readonly rating: Rating; readonly counted: Opinion | null };

/** Facts that the roll-ups have not counted yet, oldest first. */
export type DueFacts = {
  readonly events: readonly (CountedEvent & { readonly key: string })[];
  readonly offers: readonly Offer[];
  readonly ratings: readonly DueRating[];
};

/** The sums of one part of the rows. */
export type PartSums = { readonly part: string; readonly sums: Sums };

/** The rows of a subject and scope, from the first date to the last one, both included. */
export type RollUpRange = Pick<RollUpKey, 'subject' | 'scope'> & { readonly from: string; readonly to: string };

/** Deliveries that have ended, the ends and the refunds among them that the server will fold itself, and ratings of any delivery. */
export type EndedDeliveries = {
  readonly deliveries: readonly Delivery[];
  readonly due: ReadonlySet<DeliveryId>;
  readonly dueRefunds: ReadonlySet<RefundId>;
  readonly ratings: readonly DueRating[];
};

/**
 * The roll-ups. They are written by one transaction at a time, which a row that all of them change makes sure of. So
 * each fact is counted once, whatever process counts it and wherever it stops.
 */
export type RollUpStore = {
  /** At most `limit` of each kind. */
  listDue(limit: number): Promise<DueFacts>;
  /** Adds the sums and marks the facts as counted, or does nothing if another process has counted one of them. */
  fold(due: DueFacts, additions: readonly Addition[]): Promise<void>;
  /** The sums of these rows together. */
  sum(range: RollUpRange): Promise<Sums>;
  /** The same by the parts of the rows, with the sums of these names only. */
  sumByPart(range: RollUpRange, names: readonly string[]): Promise<ReadonlyMap<string, Sums>>;
  /** A page of the same, the largest sums of the first name first, and equal ones by their parts. */
  rankParts(range: RollUpRange, names: readonly string[], page: PageRequest): Promise<Page<PartSums>>;
  /** All of the same, some at a time, as they are when the first ones are read. */
  rankAll(range: RollUpRange, names: readonly string[]): AsyncIterable<readonly PartSums[]>;
};

/** Counts everything again into new rows, which replace the present ones at the end. Readers see no half of it. */
export type Rebuild = {
  /** Begins together with this entry, and ends an unfinished one. Returns the number of the new rows' generation. */
  begin(entry: AuditEntry): Promise<number>;
  /**
   * Counts the next deliveries by id. Returns how many; 0 when all are counted and the new rows are in place.
   * @throws an error if another rebuild has begun
   */
  next(
    generation: number,
    limit: number,
    count: (ended: EndedDeliveries) => Promise<readonly Addition[]>,
  ): Promise<number>;
  /** Deletes rows of generations that nobody reads any more. Returns how many. */
  sweep(): Promise<number>;
};

/** The comments about couriers of one vendor, newest first. */
export type CommentFilter = {
  readonly vendorId?: VendorId;
  readonly liveMode: boolean;
  readonly courierId?: CourierId;
};

export type RatingStore = {
  find(id: string): Promise<Rating | null>;
  /** Stores the rating, in place of an earlier one with its id. The roll-ups count it soon. */
  put(rating: Rating): Promise<void>;
  listComments(filter: CommentFilter, page: PageRequest): Promise<Page<Rating>>;
};

/** Members of the context that this file describes. */
export type AnalyticsPorts = {
  readonly rollUps: RollUpStore;
  readonly rebuild: Rebuild;
  readonly ratings: RatingStore;
};
