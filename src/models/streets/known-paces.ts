import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import { cellAndNeighbours } from '../../domain/geo/geo.ts';
import type { TravelPair } from '../../ports/dispatch/learning.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import type { Router } from './router.ts';

type Needs = {
  readonly router: Pick<Router, 'address'>;
  readonly clock: Clock;
  readonly settings: Settings;
};
/** `pace` is in seconds per metre of the straight line; NaN if there is no route. */
type Known = { readonly pace: number; readonly at: number };
/** The cells of a pair, and the key of the answer for them. */
export type Cells = { readonly fromCell: string; readonly toCell: string; readonly key: string };

/** An older answer does not stand in for a new one, service time. The streets have another hour's traffic by then. */
const MOST_AGE_MS = 3_600_000;

/** The key of the answer for a vehicle between two cells. */
export function keyOf(fromCell: string, toCell: string, vehicle: TravelPair['vehicle']): string {
  return `${fromCell}${toCell}${VEHICLE_TYPES.indexOf(vehicle)}`;
}

/** The answers of the present routing server, by cells and vehicle. Their number is bounded. */
export class KnownPaces {
  readonly #needs: Needs;
  readonly #known = new Map<string, Known>();
  /** The address of the routing server whose answers are known. */
  #address: string | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /**
   * The address of the routing server whose answers count now. Another server may have other streets, so its address
   * clears the memory. One that is away comes back with the same streets, or at another address.
   */
  address(): string | null {
    const address = this.#needs.router.address();
    if (address !== null && address !== this.#address) {
      this.#address = address;
      this.#known.clear();
    }
    return this.#address;
  }

  /** The answer for this key that counts as new. */
  fresh(key: string): Known | undefined {
    return this.#youngerThan(this.#needs.settings.travel.legLifeMs, key);
  }

  /**
   * The answer for these cells although it may be old, or else the newest one from a cell beside. A courier on the way has
   * just come from there.
   */
  standIn({ fromCell, toCell, key }: Cells, vehicle: TravelPair['vehicle']): Known | undefined {
    const mostMs = Math.max(MOST_AGE_MS, this.#needs.settings.travel.legLifeMs);
    const own = this.#youngerThan(mostMs, key);
    if (own !== undefined || this.#known.size === 0) return own;
    return cellAndNeighbours(fromCell)
      .flatMap((cell) => this.#youngerThan(mostMs, keyOf(cell, toCell, vehicle)) ?? [])
      .filter(({ pace }) => !Number.isNaN(pace))
      .toSorted((a, b) => b.at - a.at)[0];
  }

  /** Keeps the answer of the server at this address, unless another one counts by now. */
  keep(key: string, pace: number, address: string | null): void {
    if (address !== this.address()) return;
    // Deleted first, so that the map is in the order of the answers. The oldest answer makes room.
    this.#known.delete(key);
    if (this.#known.size >= this.#needs.settings.travel.mostLegs) {
      for (const oldest of this.#known.keys()) if (this.#known.delete(oldest)) break;
    }
    this.#known.set(key, { pace, at: this.#needs.clock.now() });
  }

  #youngerThan(mostMs: number, key: string): Known | undefined {
    this.address();
    const known = this.#known.get(key);
    return known !== undefined && this.#needs.clock.now() - known.at <= mostMs ? known : undefined;
  }
}
