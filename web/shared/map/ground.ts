import { widths, type Colour, type Row } from './looks.ts';
import type { Role } from './schemas.ts';

/** The layers below the streets: areas, water, buildings and borders. */
export function ground(colour: Colour): Row[] {
  const fill = (role: Role, minzoom: number, token: string): Row => ({
    role,
    look: { type: 'fill', minzoom, paint: { 'fill-color': colour(token), 'fill-antialias': false } },
  });
  return [
    fill('field', 9, '--map-field'),
    fill('built', 8, '--map-built'),
    fill('campus', 12, '--map-campus'),
    fill('bare', 8, '--map-bare'),
    fill('green', 9, '--map-green'),
    fill('wood', 6, '--map-wood'),
    {
      role: 'stream',
      look: {
        type: 'line',
        minzoom: 8,
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': colour('--map-water'), 'line-width': widths(8, 0.8, 14, 2, 18, 8) },
      },
    },
    fill('water', 6, '--map-water'),
    {
      role: 'building',
      look: {
        type: 'fill',
        minzoom: 13,
        paint: {
          'fill-color': colour('--map-building'),
          'fill-outline-color': colour('--map-building-edge'),
          'fill-opacity': ['interpolate', ['linear'], ['zoom'], 13, 0, 14.5, 1],
        },
      },
    },
    {
      role: 'boundary',
      look: {
        type: 'line',
        minzoom: 6,
        paint: { 'line-color': colour('--map-boundary'), 'line-width': 1.2, 'line-dasharray': [4, 2] },
      },
    },
  ];
}
