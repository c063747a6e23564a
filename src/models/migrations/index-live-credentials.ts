import type { Migration } from './migration.ts';

/**
 * New indexes of sessions and API keys keep live ones apart from ended ones. They replace the indexes of a holder's
 * sessions without that. The keys of a vendor have other indexes that begin with it. No row changes.
 */
export const indexLiveCredentials: Migration = {
  name: 'index_live_credentials',
  replaces: [],
  walks: [],
  drops: [
    { name: 'sessions', index: 'holder.courierId_1__id_-1' },
    { name: 'sessions', index: 'holder.email_1__id_-1' },
    { name: 'vendor_keys', index: 'vendorId_1' },
  ],
};
