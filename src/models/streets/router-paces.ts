import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import { cellAndNeighbours, distanceM, regionOf } from '../../domain/geo/geo.ts';
import type { TravelPair } from '../../ports/dispatch/learning.ts';
import type { Clock, Log, Metrics, Stop } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isRide } from '../../domain/learning/travel.ts';
import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import { Breaker, failureOf } from './breaker.ts';
import { halvesOf, takeTable, type PairTable, type WantedPair } from './pair-table.ts';
import { LEAST_JUDGED_M, type Router } from './router.ts';

type Needs = {
  readonly router: Router;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};
/** `pace` is in seconds per metre of the straight line; NaN if there is no route. */
type Known = { readonly pace: number; readonly at: number };
/** The cells of a pair, and the key of the answer for them. */
type Cells = { readonly fromCell: string; readonly toCell: string; readonly key: string };

/** H3 resolution of the cells whose places share an answer: an edge is 0.2 km. */
const LEG_RESOLUTION = 9;
/** Side of the squares whose places share a cell: 0.0005° is at most 56 m, a quarter of a cell's edge. */
const SQUARE_DEG = 0.0005;
/** Most pairs that wait for a request, of all regions that this process leads. */
const MOST_WAITING = 2000;
/** Machine time for which a pair may wait. By then newer runs have followed the one that wanted it. */
const STALE_MS = 10_000;
/**
 * Readers of arrival times miss ways one by one. They are requested together after this machine time, and by then at most
 * so many count.
 */
const GATHER_MS = 50;
const MOST_MISSED = 500;
/**
 * Most requests for one table that is refused. Each halves the pairs that share it with a bad place: after 32, a sixteenth of
 * them is left, and later tables have these.
 */
const MOST_PARTS = 32;
const MOST_IN_FLIGHT = 4;
/** How long tables pause after failures, machine time. */
const REST_MS = 30_000;

/**
 * Stores the answers of a routing server as paces. They come too late for the run that wants them, so they serve the next ones.
 * It stores paces instead of times, so that an answer is valid for every pair of places in its two cells.
 */
export class RouterPaces {
  readonly #needs: Needs;
  readonly #breaker: Breaker;
  readonly #cellOf = createCellGrid(LEG_RESOLUTION, SQUARE_DEG);
  readonly #known = new Map<string, Known>();
  readonly #asked = new Set<string>();
  readonly #halt = new AbortController();
  readonly #missed = new Map<string, TravelPair>();
  #waiting: WantedPair[] = [];
  #stopGathering: Stop | null = null;
  #inFlight = 0;
  #runs = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#breaker = new Breaker({ ...needs, of: 'tables', restMs: REST_MS });
  }

  /** See `TravelTimes`. */
  hasRouter(): boolean {
    return this.#needs.router.address() !== null;
  }

  /** Seconds by the answers for exactly these pairs, in their order; NaN where there is none. */
  legs(pairs: readonly TravelPair[]): Float64Array {
    const now = this.#needs.clock.now();
    return Float64Array.from(pairs, (pair) => {
      const { pace } = this.#fresh(this.#cellsOf(pair).key, now) ?? { pace: NaN };
      return pace * distanceM(pair.from, pair.to);
    });
  }

  /** See `Ways`. */
  routedS(pair: TravelPair): number {
    const now = this.#needs.clock.now();
    const cells = this.#cellsOf(pair);
    const metres = distanceM(pair.from, pair.to);
    if (metres >= LEAST_JUDGED_M && this.#fresh(cells.key, now) === undefined) this.#miss(cells.key, pair);
    // An old answer is better than another kind of estimate until the new one comes.
    const known = this.#known.get(cells.key) ?? this.#knownNear(cells, pair.vehicle);
    return (known?.pace ?? NaN) * metres;
  }

  /** See `TravelTimes`. */
  wanted(pairs: readonly TravelPair[]): void {
    const now = this.#needs.clock.now();
    const wantedAt = this.#needs.clock.real.elapsed();
    const waiting = new Map<string, WantedPair>();
    this.#runs += 1;
    for (const pair of pairs) {
      if (waiting.size >= MOST_WAITING) break;
      const cells = this.#cellsOf(pair);
      if (this.#asked.has(cells.key) || this.#fresh(cells.key, now) !== undefined) continue;
      if (distanceM(pair.from, pair.to) >= LEAST_JUDGED_M)
        waiting.set(cells.key, { ...pair, ...cells, wantedAt, run: this.#runs });
    }
    for (const old of this.#waiting) {
      if (waiting.size >= MOST_WAITING) break;
      if (wantedAt - old.wantedAt <= STALE_MS && !waiting.has(old.key)) waiting.set(old.key, old);
    }
    this.#waiting = [...waiting.values()];
    this.#pump();
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#waiting = [];
    this.#stopGathering?.();
    this.#halt.abort();
  }

  #cellsOf({ from, to, vehicle }: TravelPair): Cells {
    const [fromCell, toCell] = [this.#cellOf(from), this.#cellOf(to)];
    return { fromCell, toCell, key: keyOf(fromCell, toCell, vehicle) };
  }

  /** The newest answer from a cell beside this one. A courier on the way has just come from there. */
  #knownNear({ fromCell, toCell }: Cells, vehicle: TravelPair['vehicle']): Known | undefined {
    if (this.#known.size === 0) return undefined;
    return cellAndNeighbours(fromCell)
      .flatMap((cell) => this.#known.get(keyOf(cell, toCell, vehicle)) ?? [])
      .filter(({ pace }) => !Number.isNaN(pace))
      .toSorted((a, b) => b.at - a.at)[0];
  }

  #miss(key: string, pair: TravelPair): void {
    if (!this.hasRouter() || this.#asked.has(key) || this.#missed.size >= MOST_MISSED) return;
    this.#missed.set(key, pair);
    this.#stopGathering ??= this.#needs.clock.real.after(GATHER_MS, () => this.#wantMissed());
  }

  /** Places of different regions may be too far apart for one table, so each region wants its own. */
  #wantMissed(): void {
    const { regionResolution } = this.#needs.settings.dispatch;
    const pairs = [...this.#missed.values()];
    this.#missed.clear();
    this.#stopGathering = null;
    for (const group of Map.groupBy(pairs, ({ from }) => regionOf(from, regionResolution)).values()) this.wanted(group);
  }

  #fresh(key: string, now: number): Known | undefined {
    const known = this.#known.get(key);
    return known !== undefined && now - known.at <= this.#needs.settings.travel.legLifeMs ? known : undefined;
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.#mostInFlight()) void this.#askNext();
  }

  #mostInFlight(): number {
    if (!this.hasRouter()) return 0;
    return this.#breaker.mostInFlight(MOST_IN_FLIGHT);
  }

  async #askNext(): Promise<void> {
    const { taken, left } = takeTable(this.#waiting);
    this.#waiting = left;
    for (const { key } of taken.pairs) this.#asked.add(key);
    this.#inFlight += 1;
    const startedAt = this.#needs.clock.real.elapsed();
    const result = await this.#askTable(taken);
    this.#needs.metrics.observe('travel_router_seconds', (this.#needs.clock.real.elapsed() - startedAt) / 1000, {
      result,
    });
    this.#inFlight -= 1;
    for (const { key } of taken.pairs) this.#asked.delete(key);
    this.#pump();
  }

  async #askTable(table: PairTable): Promise<'ok' | 'refused' | 'late' | 'failed'> {
    const parts = [table];
    let isRefused = false;
    try {
      for (let asked = 0; asked < MOST_PARTS; asked += 1) {
        const part = parts.shift();
        if (part === undefined) break;
        const halves = await this.#learn(part);
        this.#breaker.succeeded();
        isRefused ||= halves !== null;
        parts.push(...(halves ?? []));
      }
      return isRefused ? 'refused' : 'ok';
    } catch (error) {
      // Nothing is lost: the run uses learned speeds, and later runs want the pair again while it is useful.
      this.#breaker.failed(error);
      return failureOf(error);
    }
  }

  /** Asks for a table and keeps its answers. If the server refuses it, returns its halves, or none of a single pair. */
  async #learn(part: PairTable): Promise<PairTable[] | null> {
    const { router, clock } = this.#needs;
    const { pairs, sources, targets, vehicle } = part;
    const places = { sources: [...sources.values()], targets: [...targets.values()], vehicle };
    const table = await router.table(places, this.#halt.signal);
    if (table === null && pairs.length > 1) return halvesOf(part);
    const [rows, columns] = [[...sources.keys()], [...targets.keys()]];
    for (const { from, to, fromCell, toCell, key } of pairs) {
      const seconds = table?.[rows.indexOf(fromCell)]?.[columns.indexOf(toCell)] ?? NaN;
      // The places of the table may be nearer to each other than those of the pair. Such a time is that of one block.
      const awayM = distanceM(sources.get(fromCell) ?? from, targets.get(toCell) ?? to);
      const metres = Math.max(LEAST_JUDGED_M, awayM);
      // The server moves places outside its map to the map's edge, with almost no time between them.
      const pace = isRide(metres, seconds, vehicle) ? seconds / metres : NaN;
      this.#keep(key, { pace, at: clock.now() });
    }
    return table === null ? [] : null;
  }

  #keep(key: string, known: Known): void {
    // Deleted first, so that the map is in the order of the answers. The oldest answer makes room.
    this.#known.delete(key);
    if (this.#known.size >= this.#needs.settings.travel.mostLegs) {
      for (const oldest of this.#known.keys()) if (this.#known.delete(oldest)) break;
    }
    this.#known.set(key, known);
  }
}

function keyOf(fromCell: string, toCell: string, vehicle: TravelPair['vehicle']): string {
  return `${fromCell}${toCell}${VEHICLE_TYPES.indexOf(vehicle)}`;
}
