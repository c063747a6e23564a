/** Demand and supply by cell. */
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { SurgeCell } from '../../domain/surge/surge.ts';

/**
 * Demand over supply per cell, by the last count of each region. All figures are as of now, faded if there is no recent
 * count.
 */
export type SurgeMap = {
  /** Replaces all that is known of the region with these cells. Refuses `busy` if the store is unreachable. */
  publish(region: string, cells: readonly SurgeCell[]): Promise<void>;
  /**
   * The cell in which a place counts. Calm, with a surge of 1, if nothing is known or the store is unreachable. Never
   * fails.
   */
  at(place: Coordinates, liveMode: boolean): Promise<SurgeCell>;
  /** All known cells of these regions. Refuses `busy` if the store is unreachable. */
  list(regions: readonly string[]): Promise<readonly SurgeCell[]>;
  /**
   * The known ones of these cells, in both modes; calm ones may be missing. Refuses `busy` if the store is unreachable.
   */
  listIn(cells: readonly string[]): Promise<readonly SurgeCell[]>;
};

/** Limits hints to one per courier and gap, across all leaders. */
export type HintTurns = {
  /** Takes the courier's turn. Returns false if they had one lately, or if the store cannot say. Never throws. */
  take(courierId: CourierId): Promise<boolean>;
};

/** Members of the context that this file describes. */
export type SurgePorts = {
  readonly surge: SurgeMap;
  readonly hintTurns: HintTurns;
};
