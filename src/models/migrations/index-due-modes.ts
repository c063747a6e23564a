import type { Migration } from './migration.ts';

/**
 * The indexes of the money that is due at a gateway now keep test and live mode apart. They replace indexes without the mode.
 * No row changes.
 */
export const indexDueModes: Migration = {
  name: 'index_due_modes',
  replaces: [],
  walks: [],
  drops: ['top_ups', 'payouts', 'top_up_refunds'].map((name) => ({ name, index: 'gateway_1_dueAt_1' })),
};
