/** What the matcher decided. */
import type { DeliveryId } from '../domain/ids.ts';
import type { DecisionRow, RunRecord } from '../domain/offers/decision.ts';
import type { Page, PageRequest } from './pages.ts';

/** What the matcher decided, and from what, kept for a while. */
export type DecisionStore = {
  /** Keeps a run. Does not wait for the store and never throws: of runs that cannot be written some are dropped. */
  record(run: RunRecord): void;
  /** What was decided about a delivery, newest first. */
  list(deliveryId: DeliveryId, page: PageRequest): Promise<Page<DecisionRow>>;
};
