import type { Coordinates, DayParameters, Order, Point } from '../../day/day.ts';
import type { Random } from '../../random.ts';
import type { Api } from '../../clients/api.ts';
import type { ServiceTime } from '../../clients/service-time.ts';
import type { Tally } from './tally.ts';
import type { FindWay } from './ways.ts';

/** The orders of the day by delivery. */
export type OrderBook = {
  placed(deliveryId: string, order: Order): void;
  /**
   * Null if the delivery does not belong to the day. Waits a little, because a courier may learn of a delivery before
   * its vendor.
   */
  of(deliveryId: string): Promise<Order | null>;
  /** All deliveries with their orders, in the order in which they were placed. */
  all(): readonly { readonly deliveryId: string; readonly order: Order }[];
};

/** Everything that the participants of a run share. */
export type World = {
  readonly api: Api;
  readonly time: ServiceTime;
  readonly tally: Tally;
  readonly random: Random;
  readonly parameters: DayParameters;
  readonly place: (point: Point) => Coordinates;
  /** Finds the way of a courier. */
  readonly findWay: FindWay;
  /** Whether the vendor asks for a quote before each order. Only a quote waits for a route. */
  readonly asksForQuotes: boolean;
  /** Converts a minute of the day to service time in ms. */
  readonly toService: (minute: number) => number;
  readonly orders: OrderBook;
  readonly vendor: { readonly key: string };
  /** Chance that a courier accepts an offer. */
  readonly acceptance: number;
  /** Notes which courier collected a delivery. No other courier may collect it. */
  readonly collected: (deliveryId: string, courierId: string) => void;
};

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/** An empty book. */
export function createOrderBook(): OrderBook {
  const orders = new Map<string, Order>();
  return {
    placed: (deliveryId, order) => void orders.set(deliveryId, order),
    async of(deliveryId) {
      const deadline = performance.now() + PATIENCE_MS;
      while (!orders.has(deliveryId) && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      return orders.get(deliveryId) ?? null;
    },
    all: () => [...orders].map(([deliveryId, order]) => ({ deliveryId, order })),
  };
}

/** Notes collections. A second courier for the same delivery counts as a double assignment. */
export function createCollections(tally: Tally): World['collected'] {
  const holders = new Map<string, string>();
  return (deliveryId, courierId) => {
    const holder = holders.get(deliveryId);
    if (holder !== undefined && holder !== courierId) tally.heldTwice += 1;
    holders.set(deliveryId, courierId);
  };
}
