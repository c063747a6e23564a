import type { Migration } from './migration.ts';

/**
 * New indexes of sessions keep live ones apart from ended ones. They replace the indexes of a holder's sessions without
 * that. No row changes.
 */
export const indexLiveCredentials: Migration = {
  name: 'index_live_credentials',
  replaces: [],
  walks: [],
  drops: [
    { name: 'sessions', index: 'holder.courierId_1__id_-1' },
    { name: 'sessions', index: 'holder.email_1__id_-1' },
  ],
};
