import { ITEM_SIZES, type Item } from '../../domain/deliveries/parcel.ts';
import { STOP_STATES, UNDELIVERABLE_ACTIONS, type Stop } from '../../domain/deliveries/stops/stop.ts';
import type { Window } from '../../domain/window.ts';
import {
  flag,
  id,
  list,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
  type Field,
} from '../../engines/shapes/fields.ts';
import {
  BARCODE_TYPES,
  DELIVERABLE_ACTIONS,
  PIN_TYPES,
  type StopProof,
  type Verification,
} from '../../domain/proof/verification.ts';
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
      deliverableAction: omissible(oneOf(DELIVERABLE_ACTIONS, 'Whether the courier meets the recipient.')),
      verification: omissible(verification('The proof that the vendor requires.')),
      proof: omissible(proof('The proof that the courier has given.')),
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

/** The proof that a stop requires. */
function verification(note: string): Field<Verification> {
  return part<Verification>(
    {
      picture: flag('Whether the courier must take a photo.'),
      signature: maybe(
        part<NonNullable<Verification['signature']>>(
          {
            collectName: flag('Whether the courier enters the name of the person who signs.'),
            collectRelationship: flag('Whether the courier enters how that person is related to the recipient.'),
          },
          'The signature that the courier must collect.',
        ),
      ),
      pin: maybe(
        part<NonNullable<Verification['pin']>>(
          {
            type: oneOf(PIN_TYPES, 'The origin of the PIN.'),
            sealed: maybe(text('The PIN, encrypted; null if it follows from the contact’s phone.')),
          },
          'The PIN that the recipient tells the courier.',
        ),
      ),
      barcodes: list(
        part<Verification['barcodes'][number]>(
          { value: text('The content.'), type: oneOf(BARCODE_TYPES, 'The kind of barcode.') },
          'One barcode.',
        ),
        'The barcodes that the courier must scan.',
      ),
      minAge: maybe(number('The age in years that the recipient must have.')),
    },
    note,
  );
}

/** The proof that a courier has given at a stop. */
function proof(note: string): Field<StopProof> {
  return part<StopProof>(
    {
      id: id('prf', 'The proof’s id.'),
      photos: list(id('fil', 'A file.'), 'The photos.'),
      signature: maybe(id('fil', 'The picture of the signature.')),
      signer: part<StopProof['signer']>(
        {
          name: maybe(text('The name of the person who signed.')),
          relationship: maybe(text('How that person is related to the recipient.')),
        },
        'The person who signed.',
      ),
      pin: part<StopProof['pin']>(
        {
          verifiedAt: maybe(number('When the right PIN was entered.')),
          wrongTries: number('How many wrong PINs were entered. The same PIN again in a row counts once.'),
          lastWrong: omissible(text('The wrong PIN that was entered last, encrypted.')),
        },
        'The PIN that was entered.',
      ),
      barcodes: list(
        part<StopProof['barcodes'][number]>(
          { value: text('The content.'), at: number('When it was scanned.') },
          'One barcode.',
        ),
        'The required barcodes that were scanned.',
      ),
      ageVerifiedAt: maybe(number('When the courier checked the recipient’s age.')),
      at: number('When the last part was recorded.'),
      place: maybe(place('Where the courier was at that time.')),
    },
    note,
  );
}
