import type { Migration } from './migration.ts';

/**
 * A new index of carried deliveries also has the number of the last event (ADR 110). It replaces the index without it.
 * No row changes.
 */
export const indexCarried: Migration = {
  name: 'index_carried',
  replaces: [],
  walks: [],
  drops: [{ name: 'deliveries', index: 'state_1__id_1' }],
};
