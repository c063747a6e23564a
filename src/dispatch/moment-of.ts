import type { Moment } from '../domain/deliveries/eta.ts';
import type { Position } from '../domain/couriers/position.ts';
import type { CourierId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';

type Needs = Pick<Context, 'carried' | 'clock' | 'settings' | 'travel'>;

/** The moment of a delivery whose courier is at `place`; null if their position is unknown, or without a courier. */
export function momentOf(
  { carried, clock, settings, travel }: Needs,
  { courierId }: { readonly courierId: CourierId | null },
  place: Position | null,
): Moment {
  const others = courierId === null ? [] : carried.of(courierId);
  return { now: clock.now(), place, carried: others, ways: travel, rules: settings };
}
