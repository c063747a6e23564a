import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import {
  crowSpeedMps,
  HOURS_OF_WEEK,
  hourOfWeek,
  speedsByHour,
  SPEED_RESOLUTION,
} from '../../domain/learning/travel.ts';
import type { Clock } from '../../ports/process.ts';
import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import type { SpeedCell, TravelStore } from './travel-store.ts';

/** The speeds that this process knows for a cell: one row by hour for each vehicle. */
type Known = SpeedCell & { rows: readonly Float64Array[]; isLoaded: boolean; usedAt: number };

/** Machine time between two reads of changes in the known cells. A mean of dozens of legs moves slowly. */
const RENEW_MS = 60_000;
/** How far the database's times, the order of its commits and one round of reads may differ. */
const OVERLAP_MS = 10_000;
/** Most cells in memory, the cells of 80 regions: at worst 27 MB. Further cells have the default speeds. */
const MOST_CELLS = 4000;
/** Machine time after which an unused cell is forgotten. */
const UNUSED_MS = 10 * 60_000;
/** Cells in one read, five documents each. Their speeds take about 10 ms to compute, so other work waits briefly. */
const CELLS_PER_READ = 50;
/** Side of the squares whose places share a cell: 0.001° is at most 111 m, a tenth of a cell's edge. */
const SQUARE_DEG = 0.001;

const DEFAULT_ROWS = VEHICLE_TYPES.map((vehicle) => new Float64Array(HOURS_OF_WEEK).fill(crowSpeedMps(vehicle)));

/**
 * The speeds of the cells that this process uses, in its memory. Callers never wait. A cell has the default speeds
 * until it is read, and then those of its last read.
 */
export class LearnedSpeeds {
  readonly #store: Pick<TravelStore, 'load'>;
  readonly #clock: Clock;
  readonly #cellOf = createCellGrid(SPEED_RESOLUTION, SQUARE_DEG);
  readonly #live = new Map<string, Known>();
  readonly #test = new Map<string, Known>();
  #renewedAt: number;
  /** The database's time in ms up to which the changes of all known cells were read. */
  #seenUntil = 0;

  constructor(store: Pick<TravelStore, 'load'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#renewedAt = clock.real.elapsed();
  }

  /** See `TravelTimes`. */
  speedsAt(places: readonly Coordinates[], at: number, liveMode: boolean): Float64Array {
    const hour = hourOfWeek(at);
    const now = this.#clock.real.elapsed();
    const speeds = new Float64Array(places.length * VEHICLE_TYPES.length);
    let next = 0;
    for (const place of places) {
      for (const row of this.#rowsOf(place, liveMode, now)) speeds[next++] = row[hour] ?? NaN;
    }
    return speeds;
  }

  /** Reads the requested cells that are not known yet. From time to time it also reads the changes in the others. */
  async refresh(): Promise<void> {
    const now = this.#clock.real.elapsed();
    const all = [...this.#live.values(), ...this.#test.values()];
    for (const known of all) if (now - known.usedAt > UNUSED_MS) this.#mapOf(known.liveMode).delete(known.cell);
    await this.#read(
      all.filter(({ isLoaded }) => !isLoaded),
      0,
    );
    if (now - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = now;
    this.#seenUntil = await this.#read(
      all.filter(({ isLoaded }) => isLoaded),
      this.#seenUntil - OVERLAP_MS,
    );
  }

  /** Returns the time of the newest leg in the cells, or `seenUntil` if that is later. */
  async #read(cells: readonly Known[], since: number): Promise<number> {
    let newestAt = this.#seenUntil;
    for (let from = 0; from < cells.length; from += CELLS_PER_READ) {
      const slice = cells.slice(from, from + CELLS_PER_READ);
      for (const { cell, liveMode, vehicle, hours, changedAt } of await this.#store.load(slice, since)) {
        const known = this.#mapOf(liveMode).get(cell);
        if (known === undefined) continue;
        const own = VEHICLE_TYPES.indexOf(vehicle);
        known.rows = known.rows.map((row, index) => (index === own ? speedsByHour(vehicle, hours) : row));
        newestAt = Math.max(newestAt, changedAt);
      }
      for (const known of slice) known.isLoaded = true;
    }
    return newestAt;
  }

  #rowsOf(place: Coordinates, liveMode: boolean, now: number): readonly Float64Array[] {
    const cell = this.#cellOf(place);
    const cells = this.#mapOf(liveMode);
    let known = cells.get(cell);
    if (known === undefined) {
      if (this.#live.size + this.#test.size >= MOST_CELLS) return DEFAULT_ROWS;
      known = { cell, liveMode, rows: DEFAULT_ROWS, isLoaded: false, usedAt: now };
      cells.set(cell, known);
    }
    known.usedAt = now;
    return known.rows;
  }

  #mapOf(liveMode: boolean): Map<string, Known> {
    return liveMode ? this.#live : this.#test;
  }
}
