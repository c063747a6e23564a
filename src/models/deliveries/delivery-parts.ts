import type { RoboSpec } from '../../domain/deliveries/delivery.ts';
import { CHARGE_TYPES, type ChargeLine, type Funds, type Refund } from '../../domain/pricing/funds.ts';
import { FAIL_REASONS, type FailReason } from '../../domain/deliveries/states.ts';
import { id, list, number, omissible, oneOf, part, text, type Field } from '../../engines/shapes/fields.ts';
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

/** The money of a delivery. */
export function funds(note: string): Field<Funds> {
  return part<Funds>(
    {
      shares: part<Funds['shares']>(
        {
          customer: number('The share of the vendor’s customer.'),
          vendor: number('The share of the vendor.'),
          platform: number('The share of the platform.'),
        },
        'The shares of the fee.',
      ),
      taxRateBp: number('Tax that prices contain, basis points of the price without it.'),
      courierShareBp: number('The courier’s share of a fee without its tax, basis points.'),
      hold: number('The reserved amount until the end: the fee without the platform’s share, and the tip.'),
      holdKey: text('The fact under which the ledger has the hold.'),
      charges: omissible(list(chargeLine('One line.'), 'The charge of the vendor by the end.')),
      refunds: omissible(
        list(
          part<Refund>(
            {
              id: id('rfd', 'The id of the refund.'),
              reference: text('The name that its caller gave it. A delivery has one refund of each name.'),
              reason: text('The words of the caller.'),
              lines: list(chargeLine('One line.'), 'The parts of the lines of the charge that went back.'),
              disputeId: omissible(id('dsp', 'The dispute that it decides. Left out for none.')),
              at: number('When it was made, service time in ms.'),
            },
            'One refund.',
          ),
          'The refunds of the charge, oldest first. Left out for none.',
        ),
      ),
    },
    note,
  );
}

function chargeLine(note: string): Field<ChargeLine> {
  return part<ChargeLine>(
    {
      type: oneOf(CHARGE_TYPES, 'The reason for the charge.'),
      amount: number('Amount with tax.'),
      tax: number('The tax in the amount.'),
    },
    note,
  );
}
