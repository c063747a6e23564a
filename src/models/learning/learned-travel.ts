import { VEHICLE_TYPES, type VehicleType } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import {
  NO_EXPERIENCE,
  setOffOf,
  stretchOf,
  withRouted,
  withStraight,
  writeSpeeds,
  type Experience,
} from '../../domain/learning/experience.ts';
import { areaOf, CELL_RESOLUTION, hourOfWeek, type SetOffSums } from '../../domain/learning/travel.ts';
import type { Ride } from '../../domain/learning/ways.ts';
import type { Clock } from '../../ports/process.ts';
import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import type { TravelCell, TravelStore } from './travel-store.ts';

/** The experience of one cell or area with ways along straight lines and along streets, and with departures. */
type Taught = { straight: Experience; routed: Experience; setOff: ReadonlyMap<VehicleType, SetOffSums> };
/** A cell or an area as this process knows it. */
type Known = TravelCell & Taught & { isLoaded: boolean; usedAt: number };
type KnownCell = Known & { readonly area: Known };
/** The cells and areas of one mode, and how many there may be. */
type Memory = { readonly cells: Map<string, KnownCell>; readonly areas: Map<string, Known>; readonly most: number };

/** Service time between two reads of changes in the known cells. A mean of dozens of legs moves slowly. */
const RENEW_MS = 60_000;
/** How far the database's times, the order of its commits and one round of reads may differ. */
const OVERLAP_MS = 10_000;
/**
 * Most cells and areas in memory, those of 60 live regions and of 20 test regions: at worst 13.4 KB each, 54 MB in all.
 * Further cells have what their area has, or the defaults. Test deliveries cost nothing, so their cells take no room of live ones.
 */
const MOST_LIVE = 3000;
const MOST_TEST = 1000;
/** Machine time after which an unused cell is forgotten. */
const UNUSED_MS = 10 * 60_000;
/** Cells in one read, five documents each. Their paces take about 20 ms to compute, so other work waits briefly. */
const CELLS_PER_READ = 50;
/** Side of the squares whose places share a cell: 0.001° is at most 111 m, a tenth of a cell's edge. */
const SQUARE_DEG = 0.001;

const UNTAUGHT: Taught = { straight: NO_EXPERIENCE, routed: NO_EXPERIENCE, setOff: new Map() };

/**
 * The experience of the cells that this process uses, and of their areas, in its memory. Callers never wait. A cell and
 * an area have the defaults until they are read, and then what their last read gave.
 */
export class LearnedTravel {
  readonly #store: Pick<TravelStore, 'load'>;
  readonly #clock: Clock;
  readonly #cellOf = createCellGrid(CELL_RESOLUTION, SQUARE_DEG);
  readonly #live: Memory = { cells: new Map(), areas: new Map(), most: MOST_LIVE };
  readonly #test: Memory = { cells: new Map(), areas: new Map(), most: MOST_TEST };
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
      const { straight, area } = this.#taughtAt(place, liveMode, now);
      writeSpeeds(speeds, next, hour, { cell: straight, area: area.straight });
      next += VEHICLE_TYPES.length;
    }
    return speeds;
  }

  /** See `Ways`. */
  stretchAt({ from, vehicle, liveMode }: Ride, at: number): number {
    const { routed, area } = this.#taughtAt(from, liveMode, this.#clock.real.elapsed());
    return stretchOf(vehicle, hourOfWeek(at), routed, area.routed);
  }

  /** See `Ways`. */
  setOffS({ from, vehicle, liveMode }: Omit<Ride, 'to'>): number {
    const { setOff, area } = this.#taughtAt(from, liveMode, this.#clock.real.elapsed());
    return setOffOf(setOff.get(vehicle), area.setOff.get(vehicle));
  }

  /**
   * Reads the requested cells and areas that are not known yet. From time to time it also reads the changes in the others.
   */
  async refresh(): Promise<void> {
    const now = this.#clock.real.elapsed();
    const maps = [this.#live, this.#test].flatMap(({ cells, areas }): Map<string, Known>[] => [areas, cells]);
    // An area is used whenever one of its cells is, so no cell in memory leans on a forgotten one.
    for (const map of maps) for (const [id, { usedAt }] of map) if (now - usedAt > UNUSED_MS) map.delete(id);
    const all = maps.flatMap((map) => [...map.values()]);
    await this.#read(
      all.filter(({ isLoaded }) => !isLoaded),
      0,
    );
    if (now - this.#renewedAt < RENEW_MS / this.#clock.scale) return;
    this.#seenUntil = await this.#read(
      all.filter(({ isLoaded }) => isLoaded),
      this.#seenUntil - OVERLAP_MS,
    );
    this.#renewedAt = now;
  }

  /** Returns the time of the newest leg in these cells and areas, or `seenUntil` if that is later. */
  async #read(cells: readonly Known[], since: number): Promise<number> {
    let newestAt = this.#seenUntil;
    for (let from = 0; from < cells.length; from += CELLS_PER_READ) {
      const slice = cells.slice(from, from + CELLS_PER_READ);
      for (const row of await this.#store.load(slice, since)) {
        const { cells: ofMode, areas } = this.#memoryOf(row.liveMode);
        const known = ofMode.get(row.cell) ?? areas.get(row.cell);
        if (known === undefined) continue;
        const { vehicle, hours, routed, setOff } = row;
        const of = areas.has(row.cell) ? 'area' : 'cell';
        known.straight = withStraight(known.straight, { of, vehicle, hours });
        if (routed.size > 0) known.routed = withRouted(known.routed, { of, vehicle, hours: routed });
        if (setOff !== null) known.setOff = new Map(known.setOff).set(vehicle, setOff);
        newestAt = Math.max(newestAt, row.changedAt);
      }
      for (const known of slice) known.isLoaded = true;
    }
    return newestAt;
  }

  #taughtAt(place: Coordinates, liveMode: boolean, now: number): Taught & { readonly area: Taught } {
    const cell = this.#cellOf(place);
    const { cells, areas } = this.#memoryOf(liveMode);
    const known = cells.get(cell) ?? this.#want({ cell, liveMode }, now);
    const area = known === null ? areas.get(areaOf(cell)) : known.area;
    if (area !== undefined) area.usedAt = now;
    if (known === null) return { ...UNTAUGHT, area: area ?? UNTAUGHT };
    known.usedAt = now;
    return known;
  }

  /** Remembers the cell and its area, so that they are read. Null if there is no room for both. */
  #want(of: TravelCell, now: number): KnownCell | null {
    const { cells, areas, most } = this.#memoryOf(of.liveMode);
    if (cells.size + areas.size > most - 2) return null;
    const around = areaOf(of.cell);
    const unread = { ...UNTAUGHT, isLoaded: false, usedAt: now };
    const area = areas.get(around) ?? { ...unread, ...of, cell: around };
    areas.set(around, area);
    const known = { ...unread, ...of, area };
    cells.set(of.cell, known);
    return known;
  }

  #memoryOf(liveMode: boolean): Memory {
    return liveMode ? this.#live : this.#test;
  }
}
