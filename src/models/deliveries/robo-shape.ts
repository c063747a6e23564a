import type { RoboSpec } from '../../domain/deliveries/delivery.ts';
import { FAIL_REASONS, type FailReason } from '../../domain/deliveries/states.ts';
import { list, number, omissible, oneOf, part, type Field } from '../../engines/shapes/fields.ts';
import { place } from '../common-fields.ts';

/** The orders for a robo-courier inside a delivery. */
export function robo(note: string): Field<RoboSpec> {
  return part<RoboSpec>(
    {
      timeScale: number('How many times faster than its steps the robo-courier is.'),
      outcome: omissible(
        oneOf<NonNullable<RoboSpec['outcome']>>(
          ['failed', 'canceled_by_courier', 'no_courier', 'courier_lost'],
          'How the test goes; left out if the goods are delivered.',
        ),
      ),
      failReason: omissible(oneOf<FailReason>(FAIL_REASONS, 'Why the drop-offs fail.')),
      stepsS: omissible(part<NonNullable<RoboSpec['stepsS']>>(STEPS, 'How long each step takes, seconds.')),
      gpsTrace: omissible(list(place('One place.'), 'The places between the pickup and the first drop-off.')),
    },
    note,
  );
}

const STEPS = {
  assigned: omissible(number('From the start of the search to the assignment.')),
  arrived_at_pickup: omissible(number('From the assignment to the arrival at the pickup.')),
  picked_up: omissible(number('From that arrival to the pickup of the goods.')),
  in_transit: omissible(number('From the pickup of the goods to the departure.')),
  arrived_at_drop_off: omissible(number('From the stop before to the arrival at a drop-off.')),
  delivered: omissible(number('From that arrival to the end of the drop-off.')),
};
