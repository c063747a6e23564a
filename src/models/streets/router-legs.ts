import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import { distanceM, type Coordinates } from '../../domain/geo/geo.ts';
import type { TravelPair } from '../../ports/dispatch/learning.ts';
import type { Clock, Log, Metrics } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isRide } from '../../domain/learning/travel.ts';
import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import { Breaker, failureOf } from './breaker.ts';
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
type Wanted = TravelPair & {
  readonly fromCell: string;
  readonly toCell: string;
  readonly key: string;
  /** When a run wanted the pair, machine time, and which one did. */
  readonly wantedAt: number;
  readonly run: number;
};

/** H3 resolution of the cells whose places share an answer: an edge is 0.2 km. */
const LEG_RESOLUTION = 9;
/** Side of the squares whose places share a cell: 0.0005° is at most 56 m, a quarter of a cell's edge. */
const SQUARE_DEG = 0.0005;
/** Most pairs that wait for a request, of all regions that this process leads. */
const MOST_WAITING = 2000;
/** Machine time for which a pair may wait. By then newer runs have followed the one that wanted it. */
const STALE_MS = 10_000;
/** Most sources and most targets of one table. 25 by 25 is below the 100 places and 50 by 50 pairs of usual servers. */
const MOST_SIDE = 25;
/**
 * Most requests for one table that is refused. Each halves the pairs that share it with a bad place: after 32, a sixteenth of
 * them is left, and later tables have these.
 */
const MOST_PARTS = 32;
/** Most waiting pairs that are read to fill one table. */
const MOST_LOOKED_AT = 500;
const MOST_IN_FLIGHT = 4;
/** How long tables pause after failures, machine time. */
const REST_MS = 30_000;

/**
 * Stores the answers of a routing server. They come too late for the run that wants them, so they serve the next ones.
 * It stores paces instead of times, so that an answer is valid for every pair of places in its two cells.
 */
export class RouterLegs {
  readonly #needs: Needs;
  readonly #breaker: Breaker;
  readonly #cellOf = createCellGrid(LEG_RESOLUTION, SQUARE_DEG);
  readonly #known = new Map<string, Known>();
  readonly #asked = new Set<string>();
  readonly #halt = new AbortController();
  #waiting: Wanted[] = [];
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

  /** See `TravelTimes`. */
  legs(pairs: readonly TravelPair[]): Float64Array {
    const now = this.#needs.clock.now();
    const seconds = new Float64Array(pairs.length);
    for (const [index, pair] of pairs.entries()) {
      const known = this.#fresh(this.#keyOf(pair).key, now);
      seconds[index] = known === undefined ? NaN : known.pace * distanceM(pair.from, pair.to);
    }
    return seconds;
  }

  /** See `TravelTimes`. */
  wanted(pairs: readonly TravelPair[]): void {
    const now = this.#needs.clock.now();
    const wantedAt = this.#needs.clock.real.elapsed();
    const waiting = new Map<string, Wanted>();
    this.#runs += 1;
    for (const pair of pairs) {
      if (waiting.size >= MOST_WAITING) break;
      const cells = this.#keyOf(pair);
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
    this.#halt.abort();
  }

  #keyOf({ from, to, vehicle }: TravelPair): Pick<Wanted, 'fromCell' | 'toCell' | 'key'> {
    const [fromCell, toCell] = [this.#cellOf(from), this.#cellOf(to)];
    return { fromCell, toCell, key: `${fromCell}${toCell}${VEHICLE_TYPES.indexOf(vehicle)}` };
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

type PairTable = {
  readonly vehicle: Wanted['vehicle'];
  readonly pairs: readonly Wanted[];
  /** The places of the table by their cells. */
  readonly sources: ReadonlyMap<string, Coordinates>;
  readonly targets: ReadonlyMap<string, Coordinates>;
};

/**
 * Takes the pairs that fit into one table, in their order. They have the vehicle of the first pair, and its run, because
 * places of two regions may be too far apart for one table.
 */
function takeTable(waiting: readonly Wanted[]): { readonly taken: PairTable; readonly left: Wanted[] } {
  const [{ vehicle, run } = { vehicle: 'car', run: 0 } as const] = waiting;
  const [sources, targets] = [new Map<string, Coordinates>(), new Map<string, Coordinates>()];
  const fits = (side: Map<string, Coordinates>, cell: string): boolean => side.has(cell) || side.size < MOST_SIDE;
  const pairs: Wanted[] = [];
  const left: Wanted[] = [];
  for (const [index, pair] of waiting.entries()) {
    const isAlike = pair.vehicle === vehicle && pair.run === run;
    const isTaken = index < MOST_LOOKED_AT && isAlike && fits(sources, pair.fromCell) && fits(targets, pair.toCell);
    if (!isTaken) {
      left.push(pair);
      continue;
    }
    if (!sources.has(pair.fromCell)) sources.set(pair.fromCell, pair.from);
    if (!targets.has(pair.toCell)) targets.set(pair.toCell, pair.to);
    pairs.push(pair);
  }
  return { taken: { vehicle, pairs, sources, targets }, left };
}

/** Both halves of a table, along the side with more places. */
function halvesOf({ pairs, sources, targets }: PairTable): PairTable[] {
  const isWide = targets.size > sources.size;
  const cells = [...(isWide ? targets : sources).keys()];
  const first = new Set(cells.slice(0, Math.ceil(cells.length / 2)));
  const isFirst = ({ fromCell, toCell }: Wanted): boolean => first.has(isWide ? toCell : fromCell);
  return [pairs.filter(isFirst), pairs.filter((pair) => !isFirst(pair))].map((half) => takeTable(half).taken);
}
