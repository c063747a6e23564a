import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Role } from './schemas.ts';

/** Reads a design token, such as `--map-road`. */
export type Colour = (token: string) => string;

/** A layer of the style without its place in the tiles. */
export type Look = LayerSpecification extends infer Layer
  ? Layer extends { source: string; type: 'fill' | 'line' | 'symbol' }
    ? Omit<Layer, 'id' | 'source' | 'source-layer' | 'filter'>
    : never
  : never;

/** How a role is drawn. A role with two layers names the second one by its part. */
export type Row = { readonly role: Role; readonly part?: string; readonly look: Look };

/** Widths that grow with the zoom, by pairs of a zoom and the pixels at it. */
export function widths(...stops: number[]): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.5], ['zoom'], ...stops];
}
