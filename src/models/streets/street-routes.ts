import { VEHICLE_TYPES, type VehicleType } from '../../domain/couriers/courier.ts';
import { distanceM, type Coordinates } from '../../domain/geo/geo.ts';
import type { Route } from '../../domain/geo/route.ts';
import type { Clock, Log, Metrics } from '../../ports/process.ts';
import type { Streets } from '../../ports/dispatch/streets.ts';
import type { Settings } from '../../settings.ts';
import { Breaker, failureOf } from './breaker.ts';
import type { Router } from './router.ts';

type Needs = {
  readonly router: Router;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};
/** `route` is null if there is none. `size` is in characters, and `at` is the machine time of the answer. */
type Known = { readonly route: Route | null; readonly size: number; readonly at: number };

/** Places within 0.0001° of each other, which is at most 11 m, share a route. */
const DECIMALS = 4;
/** A routing server may get newer streets. Machine time. */
const LIFE_MS = 3_600_000;
/** More quotes at once do not wait for a route. */
const MOST_IN_FLIGHT = 64;
/** The straight lines of a way whose search may be late although the routing server is well. */
const LONG_M = 50_000;
/** A restarted server is noticed within this machine time. */
const REST_MS = 5_000;
const CHARACTERS_PER_MB = 500_000;
/** The size of an entry beside its text, in characters: numbers and references. */
const LEAST_SIZE = 100;

/**
 * Routes from a routing server, and the memory of those that were found lately. The server is asked for rounded places, so
 * that every process gives the same route for the same places.
 */
export class StreetRoutes implements Streets {
  readonly #needs: Needs;
  readonly #breaker: Breaker;
  /** In the order of the answers. */
  readonly #known = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<Route | null>>();
  readonly #halt = new AbortController();
  /** The address of the routing server whose answers are known. */
  #address: string | null = null;
  #size = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#breaker = new Breaker({ ...needs, of: 'routes', restMs: REST_MS });
  }

  /** See `Streets`. */
  async route(places: readonly Coordinates[], vehicle: VehicleType): Promise<Route | null> {
    const key = keyOf(places, vehicle);
    const known = this.#fresh(key);
    if (known !== undefined) return known.route;
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    const isAway = this.#needs.router.address() === null;
    if (isAway || this.#asked.size >= this.#breaker.mostInFlight(MOST_IN_FLIGHT)) return null;
    const asking = this.#ask(key, places.map(rounded), vehicle).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  /** See `Streets`. */
  known(places: readonly Coordinates[], vehicle: VehicleType): Route | null {
    return this.#fresh(keyOf(places, vehicle))?.route ?? null;
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#halt.abort();
  }

  #fresh(key: string): Known | undefined {
    const address = this.#needs.router.address();
    // Another server may have other streets. One that is away comes back with the same ones, or at another address.
    if (address !== null && address !== this.#address) {
      this.#address = address;
      this.#known.clear();
      this.#size = 0;
    }
    const known = this.#known.get(key);
    return known !== undefined && this.#needs.clock.real.elapsed() - known.at < LIFE_MS ? known : undefined;
  }

  async #ask(key: string, places: readonly Coordinates[], vehicle: VehicleType): Promise<Route | null> {
    const { clock, metrics, router } = this.#needs;
    const startedAt = clock.real.elapsed();
    const took = (result: string): void =>
      metrics.observe('street_route_seconds', (clock.real.elapsed() - startedAt) / 1000, { result });
    const address = this.#address;
    try {
      const found = await router.route({ places, vehicle }, this.#halt.signal);
      const route = typeof found === 'string' ? null : found;
      if (address === this.#address) this.#keep(key, route);
      this.#breaker.succeeded();
      took(typeof found === 'string' ? found : 'ok');
      return route;
    } catch (error) {
      // The caller uses an estimate, and the next one asks again.
      const why = failureOf(error);
      if (why === 'failed' || straightM(places) < LONG_M) this.#breaker.failed(error);
      took(why);
      return null;
    }
  }

  #keep(key: string, route: Route | null): void {
    const most = this.#needs.settings.travel.routeMemoryMb * CHARACTERS_PER_MB;
    const lines = (route?.legs ?? []).reduce((sum, { polyline }) => sum + polyline.length + LEAST_SIZE, 0);
    const size = key.length + lines + LEAST_SIZE;
    // Deleted first, so that the map is in the order of the answers.
    this.#size += size - (this.#known.get(key)?.size ?? 0);
    this.#known.delete(key);
    this.#known.set(key, { route, size, at: this.#needs.clock.real.elapsed() });
    for (const [oldest, { size: freed }] of this.#known) {
      if (this.#size <= most) break;
      this.#known.delete(oldest);
      this.#size -= freed;
    }
  }
}

function keyOf(places: readonly Coordinates[], vehicle: VehicleType): string {
  const along = places.map(({ lat, lng }) => `${lat.toFixed(DECIMALS)},${lng.toFixed(DECIMALS)}`);
  return `${VEHICLE_TYPES.indexOf(vehicle)} ${along.join(' ')}`;
}

function straightM(places: readonly Coordinates[]): number {
  return places.reduce((sum, place, at) => sum + distanceM(places[at - 1] ?? place, place), 0);
}

function rounded({ lat, lng }: Coordinates): Coordinates {
  return { lat: Number(lat.toFixed(DECIMALS)), lng: Number(lng.toFixed(DECIMALS)) };
}
