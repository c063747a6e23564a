import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import {
  crowSpeedMps,
  HOURS_OF_WEEK,
  hourOfWeek,
  speedsByHour,
  SPEED_RESOLUTION,
  stretchByHour,
} from '../../domain/learning/travel.ts';
import type { Ride } from '../../domain/learning/ways.ts';
import type { Clock } from '../../ports/process.ts';
import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import type { SpeedCell, TravelStore } from './travel-store.ts';

/** A cell as this process knows it: for each vehicle a row of speeds and a row of stretches, by hour. */
type Known = SpeedCell & Rows & { isLoaded: boolean; usedAt: number };
type Rows = { speeds: readonly Float64Array[]; stretches: readonly Float64Array[] };

/** Machine time between two reads of changes in the known cells. A mean of dozens of legs moves slowly. */
const RENEW_MS = 60_000;
/** How far the database's times, the order of its commits and one round of reads may differ. */
const OVERLAP_MS = 10_000;
/**
 * Most cells in memory, the live cells of 60 regions and the test cells of 20: at worst 54 MB. Further cells have the
 * defaults. Test deliveries cost nothing, so their cells take no room of live ones.
 */
const MOST_LIVE_CELLS = 3000;
const MOST_TEST_CELLS = 1000;
/** Machine time after which an unused cell is forgotten. */
const UNUSED_MS = 10 * 60_000;
/** Cells in one read, five documents each. Their speeds take about 10 ms to compute, so other work waits briefly. */
const CELLS_PER_READ = 50;
/** Side of the squares whose places share a cell: 0.001° is at most 111 m, a tenth of a cell's edge. */
const SQUARE_DEG = 0.001;

const PLAIN = new Float64Array(HOURS_OF_WEEK).fill(1);
const DEFAULTS: Rows = {
  speeds: VEHICLE_TYPES.map((vehicle) => new Float64Array(HOURS_OF_WEEK).fill(crowSpeedMps(vehicle))),
  stretches: VEHICLE_TYPES.map(() => PLAIN),
};

/**
 * The speeds and stretches of the cells that this process uses, in its memory. Callers never wait. A cell has the
 * defaults until it is read, and then what its last read gave.
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

  /** See `Ways`. */
  speedsAt(places: readonly Coordinates[], at: number, liveMode: boolean): Float64Array {
    const hour = hourOfWeek(at);
    const now = this.#clock.real.elapsed();
    const speeds = new Float64Array(places.length * VEHICLE_TYPES.length);
    let next = 0;
    for (const place of places) {
      for (const row of this.#rowsOf(place, liveMode, now).speeds) speeds[next++] = row[hour] ?? NaN;
    }
    return speeds;
  }

  /** See `Ways`. */
  stretchAt({ from, vehicle, liveMode }: Ride, at: number): number {
    const { stretches } = this.#rowsOf(from, liveMode, this.#clock.real.elapsed());
    return stretches[VEHICLE_TYPES.indexOf(vehicle)]?.[hourOfWeek(at)] ?? 1;
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
      for (const { cell, liveMode, vehicle, hours, routed, changedAt } of await this.#store.load(slice, since)) {
        const known = this.#mapOf(liveMode).get(cell);
        if (known === undefined) continue;
        const own = VEHICLE_TYPES.indexOf(vehicle);
        known.speeds = known.speeds.with(own, speedsByHour(vehicle, hours));
        if (routed.size > 0) known.stretches = known.stretches.with(own, stretchByHour(routed));
        newestAt = Math.max(newestAt, changedAt);
      }
      for (const known of slice) known.isLoaded = true;
    }
    return newestAt;
  }

  #rowsOf(place: Coordinates, liveMode: boolean, now: number): Rows {
    const cell = this.#cellOf(place);
    const cells = this.#mapOf(liveMode);
    let known = cells.get(cell);
    if (known === undefined) {
      if (cells.size >= (liveMode ? MOST_LIVE_CELLS : MOST_TEST_CELLS)) return DEFAULTS;
      known = { cell, liveMode, ...DEFAULTS, isLoaded: false, usedAt: now };
      cells.set(cell, known);
    }
    known.usedAt = now;
    return known;
  }

  #mapOf(liveMode: boolean): Map<string, Known> {
    return liveMode ? this.#live : this.#test;
  }
}
