import { VEHICLE_TYPES, type VehicleType } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Route } from '../../domain/geo/route.ts';
import type { Clock, Log, Metrics } from '../../ports/process.ts';
import type { Streets } from '../../ports/dispatch/streets.ts';
import type { Settings } from '../../settings.ts';
import { Breaker } from './breaker.ts';
import type { Router } from './router.ts';

type Needs = {
  readonly router: Router;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};
/** `route` is null if there is no way. `size` is in characters. */
type Known = { readonly route: Route | null; readonly size: number };

/** Places within 0.0001° of each other, which is at most 11 m, share a route. */
const DECIMALS = 4;
/** The traffic of another hour may be different. */
const HOUR_MS = 3_600_000;
/** More quotes at once do not wait for a route. */
const MOST_IN_FLIGHT = 64;
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
  #size = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#breaker = new Breaker({ ...needs, of: 'routes', restMs: REST_MS });
  }

  /** See `Streets`. */
  async route(places: readonly Coordinates[], vehicle: VehicleType): Promise<Route | null> {
    const key = this.#keyOf(places, vehicle);
    const known = this.#known.get(key);
    if (known !== undefined) return known.route;
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (!this.#needs.router.isThere() || this.#asked.size >= this.#breaker.mostInFlight(MOST_IN_FLIGHT)) return null;
    const asking = this.#ask(key, places.map(rounded), vehicle).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  /** See `Streets`. */
  known(places: readonly Coordinates[], vehicle: VehicleType): Route | null {
    return this.#known.get(this.#keyOf(places, vehicle))?.route ?? null;
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#halt.abort();
  }

  #keyOf(places: readonly Coordinates[], vehicle: VehicleType): string {
    const hour = Math.floor(this.#needs.clock.now() / HOUR_MS);
    const along = places.map(({ lat, lng }) => `${lat.toFixed(DECIMALS)},${lng.toFixed(DECIMALS)}`);
    return `${hour} ${VEHICLE_TYPES.indexOf(vehicle)} ${along.join(' ')}`;
  }

  async #ask(key: string, places: readonly Coordinates[], vehicle: VehicleType): Promise<Route | null> {
    const { clock, metrics, router } = this.#needs;
    const startedAt = clock.real.elapsed();
    const took = (result: string): void =>
      metrics.observe('street_route_seconds', (clock.real.elapsed() - startedAt) / 1000, { result });
    try {
      const route = await router.route({ places, vehicle }, this.#halt.signal);
      this.#keep(key, route);
      this.#breaker.succeeded();
      took(route === null ? 'no_way' : 'ok');
      return route;
    } catch (error) {
      // The caller uses an estimate, and the next one asks again.
      took(this.#breaker.failed(error));
      return null;
    }
  }

  #keep(key: string, route: Route | null): void {
    const most = this.#needs.settings.travel.routeMemoryMb * CHARACTERS_PER_MB;
    const lines = (route?.legs ?? []).reduce((sum, { polyline }) => sum + polyline.length + LEAST_SIZE, 0);
    const size = key.length + lines + LEAST_SIZE;
    this.#known.set(key, { route, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#known) {
      if (this.#size <= most) break;
      this.#known.delete(oldest);
      this.#size -= freed;
    }
  }
}

function rounded({ lat, lng }: Coordinates): Coordinates {
  return { lat: Number(lat.toFixed(DECIMALS)), lng: Number(lng.toFixed(DECIMALS)) };
}
