/** Decisions of the matcher. */
import type { DeliveryId } from '../../domain/ids.ts';
import type { DecisionRow, RunRecord } from '../../domain/offers/decision.ts';
import type { Page, PageRequest } from '../pages.ts';

/** Decisions of the matcher and their inputs, kept for a while. */
export type DecisionStore = {
  /** Keeps a run. Does not wait for the store and never throws. It drops runs if the store cannot take them all. */
  record(run: RunRecord): void;
  /** The decisions about a delivery, newest first. */
  list(deliveryId: DeliveryId, page: PageRequest): Promise<Page<DecisionRow>>;
};

/** Members of the context that this file describes. */
export type RegionPorts = {
  readonly decisions: DecisionStore;
};
