// Writes an outcome as the three files that the evaluator of the MDRP instances reads, space-separated and with a
// header line.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from './play/outcome.ts';
import { roundOf } from './play/travel.ts';

type Line = readonly (string | number)[];

/** The evaluator's name for the start of a courier. */
const START = '0';

const HEADERS = {
  'solution_info_assignments.txt': ['assignment_time', 'pickup_time', 'courier', 'orders'],
  'solution_info_orders.txt': ['order', 'placement_time', 'ready_time', 'pickup_time', 'dropoff_time', 'courier'],
  'solution_info_couriers.txt': ['courier', 'departure_time', 'origin', 'destination'],
} as const;

/** Writes the three files, and makes the folder if it is absent. Orders that were not carried have no line. */
export async function writeSolution(dir: string, outcome: Outcome): Promise<void> {
  await mkdir(dir, { recursive: true });
  const files: Record<keyof typeof HEADERS, readonly Line[]> = {
    'solution_info_assignments.txt': assignmentsOf(outcome),
    'solution_info_orders.txt': ordersOf(outcome),
    'solution_info_couriers.txt': movesOf(outcome),
  };
  for (const [name, lines] of Object.entries(files)) {
    const header = HEADERS[name as keyof typeof HEADERS];
    await writeFile(join(dir, name), [header, ...lines].map((line) => `${line.join(' ')}\n`).join(''));
  }
}

/** An assignment has one time, by which all its orders must be placed. It is the time of the order that joined last. */
function assignmentsOf({ day, bundles }: Outcome): Line[] {
  return bundles.map((bundle) => [
    Math.max(...bundle.orders.map(({ decidedMin }) => decidedMin)),
    bundle.pickupMin,
    idOf(day.couriers, bundle.courier),
    ...bundle.orders.map(({ order }) => idOf(day.orders, order)),
  ]);
}

function ordersOf({ day, bundles }: Outcome): Line[] {
  return bundles.flatMap((bundle) =>
    roundOf(day, bundle).doors.map(({ order, dropOffMin }): Line => {
      const times = [order.placedMin, order.readyMin, bundle.pickupMin, dropOffMin];
      return [order.id, ...times, idOf(day.couriers, bundle.courier)];
    }),
  );
}

/** The ways of each courier in the order of time, one courier after the other. */
function movesOf({ day, bundles }: Outcome): Line[] {
  const { pickupServiceMin, dropOffServiceMin } = day.parameters;
  const places = day.couriers.map(() => START);
  const moves = day.couriers.map((): Line[] => []);
  for (const bundle of bundles.toSorted((a, b) => a.departMin - b.departMin)) {
    const courier = idOf(day.couriers, bundle.courier);
    const { doors } = roundOf(day, bundle);
    const stops = [
      { place: doors[0]?.order.restaurant.id ?? START, leaveMin: bundle.pickupMin + pickupServiceMin / 2 },
      ...doors.map(({ order, dropOffMin }) => ({ place: order.id, leaveMin: dropOffMin + dropOffServiceMin / 2 })),
    ];
    let leaveMin = bundle.departMin;
    for (const stop of stops) {
      moves[bundle.courier]?.push([courier, leaveMin, places[bundle.courier] ?? START, stop.place]);
      places[bundle.courier] = stop.place;
      leaveMin = stop.leaveMin;
    }
  }
  return moves.flat();
}

function idOf(items: readonly { readonly id: string }[], index: number): string {
  const id = items[index]?.id;
  if (id === undefined) throw new Error(`the day has nothing with index ${index}`);
  return id;
}
