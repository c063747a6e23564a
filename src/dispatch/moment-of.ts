import type { Moment } from '../domain/deliveries/eta.ts';
import type { Position } from '../domain/couriers/position.ts';
import type { CourierId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';

type Needs = Pick<Context, 'carried' | 'clock' | 'travel'>;

/** The moment of a delivery whose courier is at `place`; null if their position is unknown, or without a courier. */
export function momentOf(
  { carried, clock, travel }: Needs,
  { courierId }: { readonly courierId: CourierId | null },
  place: Position | null,
): Moment {
  return { now: clock.now(), place, carried: courierId === null ? [] : carried.of(courierId), ways: travel };
}
