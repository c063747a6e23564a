import type { ExpressionSpecification } from 'maplibre-gl';
import { widths, type Colour, type Row } from './looks.ts';
import type { Role } from './schemas.ts';

/** The streets of a class: their first zoom, their widths at zooms 10, 14 and 18, and the tokens of line and edge. */
type Street = readonly [
  role: Role,
  minzoom: number,
  at10: number,
  at14: number,
  at18: number,
  line: string,
  edge: string,
];

// oxfmt-ignore
const CLASSES: readonly Street[] = [
  ['service', 13,   0.2, 1.4, 10, '--map-road',    '--map-road-edge'],
  ['street',  12,   0.4, 3,   18, '--map-road',    '--map-road-edge'],
  ['middle',  10,   0.9, 4.5, 22, '--map-road',    '--map-road-edge'],
  ['major',   7,    1.4, 6,   26, '--map-major',   '--map-major-edge'],
  ['highway', 6,    1.8, 7,   30, '--map-highway', '--map-highway-edge'],
];

/** Farther away, streets are too thin for edges. */
const EDGES_FROM_ZOOM = 9;

/** All edges lie below all streets, so that crossings are open. */
export function roads(colour: Colour): Row[] {
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const inTunnel: ExpressionSpecification = [
    'case',
    ['any', ['==', ['get', 'is_tunnel'], true], ['==', ['get', 'brunnel'], 'tunnel']],
    0.4,
    1,
  ];
  const path: Row = {
    role: 'path',
    look: {
      type: 'line',
      minzoom: 14,
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': colour('--map-path'),
        'line-width': widths(14, 0.8, 16, 1.4, 18, 3),
        'line-dasharray': [2, 1.2],
      },
    },
  };
  const edges = CLASSES.map(([role, minzoom, at10, at14, at18, , edge]): Row => {
    const width = widths(10, at10 + 0.8, 14, at14 + 1.6, 18, at18 + 2.4);
    const paint = { 'line-color': colour(edge), 'line-width': width, 'line-opacity': inTunnel };
    return { role, part: '-edge', look: { type: 'line', minzoom: Math.max(minzoom, EDGES_FROM_ZOOM), layout, paint } };
  });
  const lines = CLASSES.map(([role, minzoom, at10, at14, at18, line]): Row => {
    const paint = {
      'line-color': colour(line),
      'line-width': widths(10, at10, 14, at14, 18, at18),
      'line-opacity': inTunnel,
    };
    return { role, look: { type: 'line', minzoom, layout, paint } };
  });
  const rail: Row = {
    role: 'rail',
    look: {
      type: 'line',
      minzoom: 10,
      paint: {
        'line-color': colour('--map-rail'),
        'line-width': widths(10, 0.6, 14, 1.2, 18, 3),
        'line-opacity': inTunnel,
      },
    },
  };
  return [path, ...edges, ...lines, rail];
}
