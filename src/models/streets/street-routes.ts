import { VEHICLE_TYPES, type VehicleType } from '../../domain/couriers/courier.ts';
import { distanceM, type Coordinates } from '../../domain/geo/geo.ts';
import type { Route } from '../../domain/geo/route.ts';
import type { Clock, Log, Metrics } from '../../ports/process.ts';
import type { Streets, TimeTable } from '../../ports/dispatch/streets.ts';
import type { Settings } from '../../settings.ts';
import { Breaker, failureOf } from './breaker.ts';
import type { RouteRequest } from './dialect.ts';
import { RecentAnswers } from './recent-answers.ts';
import type { Router } from './router.ts';

type Needs = {
  readonly router: Router;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};
/** One kind of question to the routing server. */
type Question<A> = {
  /** The answers; null stands for "there is none". */
  readonly known: RecentAnswers<A | null>;
  readonly asked: Map<string, Promise<A | null>>;
  readonly metric: 'street_route_seconds' | 'street_table_seconds';
  /** Asks. Returns the answer, or why there is none. */
  readonly ask: (request: RouteRequest, halt: AbortSignal) => Promise<A | string>;
};

/** Places within 0.0001° of each other, which is at most 11 m, share an answer. */
const DECIMALS = 4;
/** More quotes at once do not wait for an answer. */
const MOST_IN_FLIGHT = 64;
/** The straight lines of a way whose search may be late although the routing server is well. */
const LONG_M = 50_000;
/** A restarted server is noticed within this machine time. */
const REST_MS = 5_000;
const CHARACTERS_PER_MB = 500_000;
/** Memory for tables: over a thousand with ten drop-offs, and several thousand with three. */
const TABLES_MB = 2;
/** The size of an entry beside its text, in characters: numbers and references. */
const LEAST_SIZE = 100;
/** The size of a number in characters. */
const NUMBER_SIZE = 4;

/**
 * Routes and tables from a routing server, and the memory of those that were found lately. The server is asked for rounded
 * places, so that every process gives the same answer for the same places.
 */
export class StreetRoutes implements Streets {
  readonly #needs: Needs;
  readonly #breaker: Breaker;
  readonly #routes: Question<Route>;
  readonly #tables: Question<TimeTable>;
  readonly #halt = new AbortController();
  /** The address of the routing server whose answers are known. */
  #address: string | null = null;

  constructor(needs: Needs) {
    const { router, clock, settings } = needs;
    this.#needs = needs;
    this.#breaker = new Breaker({ ...needs, of: 'routes', restMs: REST_MS });
    this.#routes = {
      known: new RecentAnswers(clock, settings.travel.routeMemoryMb * CHARACTERS_PER_MB, sizeOfRoute),
      asked: new Map(),
      metric: 'street_route_seconds',
      ask: (request, halt) => router.route(request, halt),
    };
    this.#tables = {
      known: new RecentAnswers(clock, TABLES_MB * CHARACTERS_PER_MB, sizeOfTable),
      asked: new Map(),
      metric: 'street_table_seconds',
      ask: async ({ places, vehicle }, halt) =>
        wholeTable(await router.table({ sources: places, targets: places.slice(1), vehicle }, halt)),
    };
  }

  /** See `Streets`. */
  route(places: readonly Coordinates[], vehicle: VehicleType, within?: AbortSignal): Promise<Route | null> {
    return this.#answer(this.#routes, { places, vehicle }, within);
  }

  /** See `Streets`. */
  table(places: readonly Coordinates[], vehicle: VehicleType, within?: AbortSignal): Promise<TimeTable | null> {
    return this.#answer(this.#tables, { places, vehicle }, within);
  }

  /** See `Streets`. */
  knownRoute(places: readonly Coordinates[], vehicle: VehicleType): Route | null {
    return this.#find(this.#routes, { places, vehicle }) ?? null;
  }

  /** See `Streets`. */
  knownTable(places: readonly Coordinates[], vehicle: VehicleType): TimeTable | null {
    return this.#find(this.#tables, { places, vehicle }) ?? null;
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#halt.abort();
  }

  #find<A>({ known }: Question<A>, request: RouteRequest): A | null | undefined {
    const address = this.#needs.router.address();
    // Another server may have other streets. One that is away comes back with the same ones, or at another address.
    if (address !== null && address !== this.#address) {
      this.#address = address;
      this.#routes.known.forgetAll();
      this.#tables.known.forgetAll();
    }
    return known.find(keyOf(request));
  }

  async #answer<A>(question: Question<A>, request: RouteRequest, within?: AbortSignal): Promise<A | null> {
    const known = this.#find(question, request);
    if (known !== undefined) return known;
    if (within?.aborted === true) return null;
    const asked = question.asked.get(keyOf(request)) ?? this.#begin(question, request);
    // A caller without time leaves, and the answer is there for the next one.
    return within === undefined ? asked : Promise.race([asked, endOf(within)]);
  }

  async #begin<A>(question: Question<A>, request: RouteRequest): Promise<A | null> {
    const inFlight = this.#routes.asked.size + this.#tables.asked.size;
    if (this.#needs.router.address() === null || inFlight >= this.#breaker.mostInFlight(MOST_IN_FLIGHT)) return null;
    const key = keyOf(request);
    const asking = this.#ask(question, request).finally(() => question.asked.delete(key));
    question.asked.set(key, asking);
    return asking;
  }

  async #ask<A>(question: Question<A>, request: RouteRequest): Promise<A | null> {
    const { clock, metrics } = this.#needs;
    const startedAt = clock.real.elapsed();
    const took = (result: string): void =>
      metrics.observe(question.metric, (clock.real.elapsed() - startedAt) / 1000, { result });
    const address = this.#address;
    try {
      const places = request.places.map(rounded);
      const found = await question.ask({ ...request, places }, this.#halt.signal);
      const answer = typeof found === 'string' ? null : found;
      if (address === this.#address) question.known.keep(keyOf(request), answer);
      this.#breaker.succeeded();
      took(typeof found === 'string' ? found : 'ok');
      return answer;
    } catch (error) {
      // The caller uses an estimate, and the next one asks again.
      const why = failureOf(error);
      if (why === 'failed' || straightM(request.places) < LONG_M) this.#breaker.failed(error);
      took(why);
      return null;
    }
  }
}

/** A table with a gap cannot tell which order of its places is the shortest. */
function wholeTable(table: readonly (readonly (number | null)[])[] | null): TimeTable | 'refused' | 'gap' {
  if (table === null) return 'refused';
  return table.every(isWhole) ? table : 'gap';
}

function isWhole(row: readonly (number | null)[]): row is readonly number[] {
  return row.every((seconds) => seconds !== null);
}

function sizeOfRoute(route: Route | null): number {
  const lines = (route?.legs ?? []).reduce((sum, { polyline }) => sum + polyline.length + LEAST_SIZE, 0);
  return lines + LEAST_SIZE;
}

function sizeOfTable(table: TimeTable | null): number {
  return (table ?? []).reduce((sum, row) => sum + row.length * NUMBER_SIZE, LEAST_SIZE);
}

function endOf(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

function keyOf({ places, vehicle }: RouteRequest): string {
  const along = places.map(({ lat, lng }) => `${lat.toFixed(DECIMALS)},${lng.toFixed(DECIMALS)}`);
  return `${VEHICLE_TYPES.indexOf(vehicle)} ${along.join(' ')}`;
}

function straightM(places: readonly Coordinates[]): number {
  return places.reduce((sum, place, at) => sum + distanceM(places[at - 1] ?? place, place), 0);
}

function rounded({ lat, lng }: Coordinates): Coordinates {
  return { lat: Number(lat.toFixed(DECIMALS)), lng: Number(lng.toFixed(DECIMALS)) };
}
