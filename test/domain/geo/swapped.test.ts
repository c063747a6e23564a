import { expect, test } from 'vitest';
import { judgeReach } from '../../../src/domain/deliveries/guards.ts';
import { judgeMove } from '../../../src/domain/vendors/accept.ts';
import { newId } from '../../../src/domain/ids.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { hintAtSwap } from '../../../src/domain/geo/swapped.ts';
import { CENTER } from '../../builders.ts';

const ring = [
  [13, 52],
  [14, 52],
  [14, 53],
  [13, 53],
  [13, 52],
] as const;
const zone = {
  id: newId('zon'),
  name: 'around the centre',
  area: { type: 'Polygon', coordinates: [ring] },
  cells: [],
  cellSize: 6,
} as const;
const swapped = { lat: CENTER.lng, lng: CENTER.lat };

test('[H548] a place that only a swap brings into a zone or into reach is refused with that hint', () => {
  const [near, far] = [offsetBy(CENTER, 1000, 0), { lat: 48.1, lng: 11.5 }];
  const inZone = (place: typeof CENTER) => judgeMove([zone], place, '/drop_off/0/coordinates')?.detail;
  const inReach = (place: typeof CENTER) => judgeReach([CENTER, near, place], 40_000)?.detail;
  expect([inZone(CENTER), inReach(near)]).toEqual([undefined, undefined]);
  expect(inZone(swapped)).toMatch(/lists\. It would fit if `lat` and `lng` were swapped\.$/);
  expect(inReach(swapped)).toMatch(/km\. It would fit if `lat` and `lng` of one place were swapped\.$/);
  for (const detail of [inZone(far), inReach(far)]) expect(detail).not.toContain('swapped');
});

test('[H548] a longitude that no latitude can have gives no hint', () => {
  expect(hintAtSwap([{ lat: 1, lng: 91 }], () => true)).toBe('');
});
