import { termsOfCourier } from '../../domain/couriers/courier-terms.ts';
import type { AnyRow, Migration, Write } from './migration.ts';

/** Couriers now have the words of searches. Until a row is filled, only its id finds it. */
export const indexCouriers: Migration = {
  name: 'index_couriers',
  replaces: [],
  walks: [
    { name: 'couriers', fields: ['terms', 'name', 'phone'], mend: mendCouriers(({ terms }) => terms !== undefined) },
  ],
  drops: [],
};

/** Makes the terms of rows again that lack some. @param areNew says whether the terms of a row are of the new kind */
export function mendCouriers(areNew: (row: AnyRow) => boolean): (rows: readonly AnyRow[]) => Write[] {
  return (rows) =>
    rows
      .filter((row) => !areNew(row))
      .map(({ _id, terms: old, name, phone }) => {
        const terms = termsOfCourier({ name: String(name), phone: String(phone) });
        // A change of the name or the phone writes the words, too.
        const unchanged = old === undefined ? { $exists: false } : old;
        return { updateOne: { filter: { _id, terms: unchanged }, update: { $set: { terms } } } };
      });
}
