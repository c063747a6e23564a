import type { mongo } from 'mongoose';
import type { Offer } from '../../domain/offers/offer.ts';
import type { CommitFailure, Effect } from '../../ports/changes.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import type { Mongo } from '../../engines/mongo.ts';

/** The parts that a commit needs besides its change. */
export type Engine = { readonly mongo: Mongo; readonly clock: Clock; readonly settings: Settings };

/** One run of the transaction of a commit. If the transaction runs again, it begins with a new `Work`. */
export type Work = Engine & {
  readonly session: mongo.ClientSession;
  /** Writers that withdraw offers add them here, and the commit returns them. */
  readonly withdrawn: Offer[];
};

export type Why = CommitFailure['why'];
/** A failure, with the effects at fault if the writer knows them. */
export type Failure<W extends Why = Why> = Extract<CommitFailure, { readonly why: W }> & {
  readonly faults?: readonly Effect[];
};

/** The failure of a writer whose row has changed since the change was decided. */
export type Stale = Extract<CommitFailure, { readonly why: 'stale' }>;
