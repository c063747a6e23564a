import type { LayerSpecification } from 'maplibre-gl';
import { ground } from './ground.ts';
import { labels } from './labels.ts';
import type { Colour } from './looks.ts';
import { roads } from './roads.ts';
import type { Place, Schema } from './schemas.ts';

/** The source of the tiles in the style. */
export const STREETS = 'streets';

/**
 * The layers of our style for tiles of a schema, bottom first: areas, water, buildings, streets, names. All of them are quiet, so
 * that couriers, stops and ways stand out.
 */
export function streetLayers(schema: Schema, language: string, colour: Colour): LayerSpecification[] {
  const rows = [...ground(colour), ...roads(colour), ...labels(schema, language, colour)];
  return rows.flatMap(({ role, part = '', look }) =>
    schema.places[role].map(({ layer, filter }: Place, index) => ({
      ...look,
      id: `${role}${part}-${index}`,
      source: STREETS,
      'source-layer': layer,
      filter,
    })),
  );
}

/** The lowest of the layers of names above everything else; undefined if there are none. A style may also have signs between its streets. */
export function lowestName(layers: readonly LayerSpecification[]): string | undefined {
  return layers.slice(layers.findLastIndex(({ type }) => type !== 'symbol') + 1)[0]?.id;
}
