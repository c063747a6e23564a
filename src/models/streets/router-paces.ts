import { distanceM, regionOf } from '../../domain/geo/geo.ts';
import type { TravelPair } from '../../ports/dispatch/learning.ts';
import type { Clock, Log, Metrics, Stop } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isRide } from '../../domain/learning/travel.ts';
import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import { Breaker, failureOf } from './breaker.ts';
import { KnownPaces, keyOf, type Cells } from './known-paces.ts';
import { halvesOf, takeTable, type PairTable, type WantedPair } from './pair-table.ts';
import { LEAST_JUDGED_M, type Router } from './router.ts';

type Needs = {
  readonly router: Router;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};

/** H3 resolution of the cells whose places share an answer: an edge is 0.2 km. */
const LEG_RESOLUTION = 9;
/** Side of the squares whose places share a cell: 0.0005° is at most 56 m, a quarter of a cell's edge. */
const SQUARE_DEG = 0.0005;
/** Most pairs that wait for a request, of all regions that this process leads. */
const MOST_WAITING = 2000;
/** Machine time for which a pair may wait. By then newer runs have followed the one that wanted it. */
const STALE_MS = 10_000;
/** Machine time for which missing ways are gathered, to request them together. */
const GATHER_MS = 50;
/** Most ways that are gathered. Further ones are requested when they are read again. */
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
  readonly #known: KnownPaces;
  readonly #asked = new Set<string>();
  readonly #halt = new AbortController();
  readonly #missed = new Map<string, TravelPair>();
  #waiting: WantedPair[] = [];
  #stopGathering: Stop | null = null;
  #inFlight = 0;
  #runs = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#known = new KnownPaces(needs);
    this.#breaker = new Breaker({ ...needs, of: 'tables', restMs: REST_MS });
  }

  /** See `TravelTimes`. */
  hasRouter(): boolean {
    return this.#needs.router.address() !== null;
  }

  /** Seconds by the fresh answers for the cells of each pair, in their order, without stand-ins; NaN where there is none. */
  legs(pairs: readonly TravelPair[]): Float64Array {
    return Float64Array.from(pairs, (pair) => {
      const { pace } = this.#known.fresh(this.#cellsOf(pair).key) ?? { pace: NaN };
      return pace * distanceM(pair.from, pair.to);
    });
  }

  /** See `Ways`. */
  routedS(pair: TravelPair): number {
    const cells = this.#cellsOf(pair);
    const metres = distanceM(pair.from, pair.to);
    if (metres >= LEAST_JUDGED_M && this.#known.fresh(cells.key) === undefined) this.#miss(cells.key, pair);
    // An old answer is better than another kind of estimate until the new one comes.
    return (this.#known.standIn(cells, pair.vehicle)?.pace ?? NaN) * metres;
  }

  /** See `TravelTimes`. */
  wanted(pairs: readonly TravelPair[]): void {
    this.#waiting = this.#inOrder([...this.#unknown(pairs), ...this.#waiting]);
    this.#pump();
  }

  /** Aborts the requests in flight, and sends no further ones. */
  close(): void {
    this.#waiting = [];
    this.#missed.clear();
    this.#stopGathering?.();
    this.#halt.abort();
  }

  /** The pairs of one region that have to be requested, at most as many as may wait. */
  #unknown(pairs: readonly TravelPair[]): WantedPair[] {
    const wantedAt = this.#needs.clock.real.elapsed();
    const unknown = new Map<string, WantedPair>();
    this.#runs += 1;
    for (const pair of pairs) {
      if (unknown.size >= MOST_WAITING) break;
      const cells = this.#cellsOf(pair);
      if (this.#asked.has(cells.key) || this.#known.fresh(cells.key) !== undefined) continue;
      if (distanceM(pair.from, pair.to) >= LEAST_JUDGED_M)
        unknown.set(cells.key, { ...pair, ...cells, wantedAt, run: this.#runs });
    }
    return [...unknown.values()];
  }

  /** Each pair once, in this order, without those that waited for too long. */
  #inOrder(pairs: readonly WantedPair[]): WantedPair[] {
    const now = this.#needs.clock.real.elapsed();
    const waiting = new Map<string, WantedPair>();
    for (const pair of pairs) {
      if (waiting.size >= MOST_WAITING) break;
      if (now - pair.wantedAt <= STALE_MS && !waiting.has(pair.key)) waiting.set(pair.key, pair);
    }
    return [...waiting.values()];
  }

  #cellsOf({ from, to, vehicle }: TravelPair): Cells {
    const [fromCell, toCell] = [this.#cellOf(from), this.#cellOf(to)];
    return { fromCell, toCell, key: keyOf(fromCell, toCell, vehicle) };
  }

  #miss(key: string, pair: TravelPair): void {
    if (!this.#mayAsk() || this.#asked.has(key) || this.#missed.size >= MOST_MISSED) return;
    this.#missed.set(key, pair);
    this.#stopGathering ??= this.#needs.clock.real.after(GATHER_MS, () => this.#wantMissed());
  }

  /**
   * Places of different regions may be too far apart for one table, so each region wants its own. They wait behind the
   * pairs of all runs, because an arrival has a stand-in and a run decides.
   */
  #wantMissed(): void {
    const { regionResolution } = this.#needs.settings.dispatch;
    const groups = Map.groupBy(this.#missed.values(), ({ from }) => regionOf(from, regionResolution));
    this.#missed.clear();
    this.#stopGathering = null;
    this.#waiting = this.#inOrder([...this.#waiting, ...[...groups.values()].flatMap((group) => this.#unknown(group))]);
    this.#pump();
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.#mostInFlight()) void this.#askNext();
  }

  #mostInFlight(): number {
    return this.#mayAsk() ? this.#breaker.mostInFlight(MOST_IN_FLIGHT) : 0;
  }

  #mayAsk(): boolean {
    return this.hasRouter() && !this.#halt.signal.aborted;
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
    const { router } = this.#needs;
    const { pairs, sources, targets, vehicle } = part;
    const places = { sources: [...sources.values()], targets: [...targets.values()], vehicle };
    const address = this.#known.address();
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
      this.#known.keep(key, pace, address);
    }
    return table === null ? [] : null;
  }
}
