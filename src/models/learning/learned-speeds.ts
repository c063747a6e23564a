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

/** What this process knows of a cell: a row of speeds by hour for each vehicle. */
type Known = SpeedCell & { rows: readonly Float64Array[]; isLoaded: boolean; usedAt: number };

/** Machine time between two looks at what changed in the known cells: a mean of dozens of legs moves slowly. */
const RENEW_MS = 60_000;
/** By how much the database's times, the order of its commits and the reads of one look may lie apart. */
const OVERLAP_MS = 10_000;
/** Cells known at once, in the worst case 27 MB: the cells of 80 regions. Where no room is left the default holds. */
const MOST_CELLS = 4000;
/** Machine time after which a cell that nobody asked for makes room. */
const UNUSED_MS = 10 * 60_000;
/** Cells in one read, five documents each: their speeds are worked out in some 10 ms, so that nobody else waits long. */
const CELLS_PER_READ = 50;
/** Side of the squares that share a cell: 0.001° is at most 111 m, a tenth of a cell's edge. */
const SQUARE_DEG = 0.001;

const DEFAULT_ROWS = VEHICLE_TYPES.map((vehicle) => new Float64Array(HOURS_OF_WEEK).fill(crowSpeedMps(vehicle)));

/**
 * Speeds of the cells that this process is asked for, in its memory. Who asks never waits: a cell has the default speeds
 * until it was read, and those of the last read after.
 */
export class LearnedSpeeds {
  readonly #store: Pick<TravelStore, 'load'>;
  readonly #clock: Clock;
  readonly #cellOf = createCellGrid(SPEED_RESOLUTION, SQUARE_DEG);
  readonly #live = new Map<string, Known>();
  readonly #test = new Map<string, Known>();
  #renewedAt: number;
  /** Up to when all known cells have been seen; the database's time in ms. */
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

  /** Reads the cells that were asked for and are not known yet, and from time to time what changed in the others. */
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

  /** Gives the time of the newest leg there, or `seenUntil` when none is newer. */
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
