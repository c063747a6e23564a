import type { ExpressionSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import type { Colour, Row } from './looks.ts';
import { nameIn } from './names.ts';
import type { Schema } from './schemas.ts';

type Layout = NonNullable<SymbolLayerSpecification['layout']>;
type Size = number | ExpressionSpecification;

/** The fonts of the reader. MapLibre reads the weight from the first name, so that name need not be installed. */
const PLAIN = ['system-ui', 'sans-serif'];
const STRONG = ['Noto Sans Semibold', 'system-ui', 'sans-serif'];

/** The names and numbers on the map, the least important first: MapLibre gives room to the last one first. */
export function labels(schema: Schema, language: string, colour: Colour): Row[] {
  const name = nameIn(language);
  const plain = paintIn(colour, '--map-label');
  const strong = paintIn(colour, '--map-ink');
  const number: Layout = {
    'text-field': ['get', schema.houseNumber],
    'text-font': PLAIN,
    'text-size': 11,
    'text-padding': 1,
  };
  const quarter: Layout = { ...at(name, 12), 'text-letter-spacing': 0.06 };
  const streetSize = growing(13, 11, 18, 15);
  return [
    { role: 'house-number', look: { type: 'symbol', minzoom: 17, layout: number, paint: plain } },
    {
      role: 'water-name',
      look: { type: 'symbol', minzoom: 13, layout: along(name, 12), paint: paintIn(colour, '--map-water-label') },
    },
    { role: 'street-name', look: { type: 'symbol', minzoom: 13, layout: along(name, streetSize), paint: plain } },
    { role: 'quarter', look: { type: 'symbol', minzoom: 12, maxzoom: 16, layout: quarter, paint: plain } },
    { role: 'village', look: { type: 'symbol', maxzoom: 16, layout: town(name, 11, 15), paint: strong } },
    { role: 'town', look: { type: 'symbol', maxzoom: 16, layout: town(name, 13, 20), paint: strong } },
  ];
}

function paintIn(colour: Colour, ink: string): NonNullable<SymbolLayerSpecification['paint']> {
  return { 'text-color': colour(ink), 'text-halo-color': colour('--map-label-halo'), 'text-halo-width': 1.4 };
}

/** A text along a line. */
function along(name: ExpressionSpecification, size: Size): Layout {
  return {
    'symbol-placement': 'line',
    'symbol-spacing': 300,
    'text-field': name,
    'text-font': PLAIN,
    'text-size': size,
    'text-max-angle': 35,
    'text-padding': 3,
  };
}

/** A text at a point. */
function at(name: ExpressionSpecification, size: Size): Layout {
  return { 'text-field': name, 'text-font': PLAIN, 'text-size': size, 'text-max-width': 7 };
}

function town(name: ExpressionSpecification, farPx: number, nearPx: number): Layout {
  return { ...at(name, growing(8, farPx, 14, nearPx)), 'text-font': STRONG };
}

function growing(...stops: number[]): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], ...stops];
}
