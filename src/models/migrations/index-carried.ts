import type { Migration } from './migration.ts';

/** Carried deliveries are listed by an index that also has the number of the last event (ADR 110). No row changes. */
export const indexCarried: Migration = {
  name: 'index_carried',
  replaces: [],
  walks: [],
  drops: [{ name: 'deliveries', index: 'state_1__id_1' }],
};
