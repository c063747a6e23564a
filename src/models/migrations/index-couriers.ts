import { termsOfCourier } from '../../domain/couriers/courier-terms.ts';
import type { AnyRow, Migration, Write } from './migration.ts';

/** Couriers now have the words of searches. Until a row is filled, only its id finds it. */
export const indexCouriers: Migration = {
  name: 'index_couriers',
  replaces: [],
  walks: [{ name: 'couriers', fields: ['terms', 'name', 'phone'], mend }],
  drops: [],
};

function mend(rows: readonly AnyRow[]): Write[] {
  return rows
    .filter(({ terms }) => terms === undefined)
    .map(({ _id, name, phone }) => {
      const terms = termsOfCourier({ name: String(name), phone: String(phone) });
      // A change of the name or the phone writes the words, too.
      return { updateOne: { filter: { _id, terms: { $exists: false } }, update: { $set: { terms } } } };
    });
}
