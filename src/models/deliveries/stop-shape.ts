import { ITEM_SIZES, type Item } from '../../domain/deliveries/parcel.ts';
import { STOP_STATES, UNDELIVERABLE_ACTIONS, type Stop } from '../../domain/deliveries/stop.ts';
import type { Window } from '../../domain/window.ts';
import { list, maybe, number, omissible, oneOf, part, text, type Field } from '../../engines/shapes/fields.ts';
import { address, contact, place } from '../common-fields.ts';

/** The pickup or a drop-off inside a delivery. */
export function stop(note: string): Field<Stop> {
  return part<Stop>(
    {
      index: number('0 for the pickup, 1 and up for the drop-offs.'),
      visit: number('The stop’s place in the order of visits; 0 for the pickup.'),
      place: place('Where the stop is.'),
      firstPlace: omissible(place('Where the stop was at first, if it has moved.')),
      address: maybe(address('The address from the create.')),
      contact: maybe(contact('The person at the stop.')),
      instructions: maybe(text('The instructions for the courier.')),
      window: maybe(
        part<Window>(
          { readyAt: maybe(number('When the window begins.')), deadlineAt: maybe(number('When the window ends.')) },
          'The span in which the stop should be visited.',
        ),
      ),
      externalId: maybe(text('The vendor’s own id of the stop.')),
      businessName: omissible(text('The name of the business at the pickup.')),
      reference: omissible(text('The words by which the staff at the pickup know the order.')),
      items: omissible(list(item('One kind of goods.'), 'The goods for this drop-off.')),
      orderValue: omissible(number('Value of the goods for this drop-off, minor units.')),
      undeliverableAction: oneOf(
        UNDELIVERABLE_ACTIONS,
        'How the courier handles the goods if they cannot be handed over.',
      ),
      state: oneOf(STOP_STATES, 'Where the stop is in its life.'),
      arrivedAt: maybe(number('When the courier arrived.')),
      doneAt: maybe(number('When the stop ended.')),
      reason: maybe(text('Why the stop failed or was canceled.')),
    },
    note,
  );
}

function item(note: string): Field<Item> {
  return part<Item>(
    {
      name: text('Name of the goods.'),
      quantity: number('Number of pieces.'),
      price: omissible(number('Price of one piece, minor units.')),
      weightG: omissible(number('Weight of one piece, grams.')),
      size: omissible(oneOf(ITEM_SIZES, 'Size of one piece.')),
      barcode: omissible(text('Barcode on the goods.')),
    },
    note,
  );
}
