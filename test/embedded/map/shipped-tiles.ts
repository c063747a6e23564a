import path from 'node:path';

/** The tiles of the shipped extract. */
export const SHIPPED_TILES = path.resolve(
  import.meta.dirname,
  '../../../examples/streets/liechtenstein-2015-07-27.pmtiles',
);
