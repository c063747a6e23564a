import { z } from 'zod';
import { isoTime } from '../../domain/time.ts';
import { cellsWithin } from '../../domain/geo/cells-within.ts';
import { isViewCell } from '../../domain/geo/geo.ts';
import type { SurgeCell } from '../../domain/surge/surge.ts';
import { PlatformListQuery } from './deliveries/delivery-list.ts';

/** As many as a dispatcher watches at once. */
const MOST_CELLS = 500;
const CELL_CHARACTERS = 15;
const WRONG_CELLS = `must be 1 to ${MOST_CELLS} H3 cells of resolution 7, separated by commas`;

/** All names are as long, so that the length of the text bounds their number. */
const Cells = z
  .string()
  .max(MOST_CELLS * (CELL_CHARACTERS + 1), WRONG_CELLS)
  .transform((text) => text.split(','))
  .refine((cells) => cells.every(isViewCell), WRONG_CELLS);

const degrees = /^-?\d{1,3}(\.\d{1,15})?$/;

const Bounds = z
  .string()
  .max(100)
  .transform((text, issues): readonly string[] => {
    const parts = text.split(',');
    const [west = NaN, south = NaN, east = NaN, north = NaN] = parts.map((part) =>
      degrees.test(part) ? Number(part) : NaN,
    );
    const isSound =
      parts.length === 4 &&
      west >= -180 &&
      west <= east &&
      east <= 180 &&
      south >= -85 &&
      south <= north &&
      north <= 85;
    const cells = isSound ? cellsWithin({ west, south, east, north }, MOST_CELLS) : [];
    if (isSound && cells !== null) return cells;
    const message = isSound
      ? `must hold at most ${MOST_CELLS} cells`
      : 'must be west,south,east,north in degrees, in this order, within 85 degrees of the equator';
    issues.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const SurgeQuery = z
  .strictObject({
    cells: Cells.exactOptional().describe('H3 cells of resolution 7 with commas between them, 500 at most'),
    bounds: Bounds.exactOptional().describe('west,south,east,north in degrees, 500 cells at most; instead of `cells`'),
    live_mode: PlatformListQuery.shape.live_mode.describe('Live or test mode only'),
  })
  .refine(({ cells, bounds }) => (cells === undefined) !== (bounds === undefined), {
    error: 'must be given if `bounds` is not, and left out if it is',
    path: ['cells'],
  });

/** Demand and supply in a cell and mode. Where nothing is known a cell is calm: its surge is 1, and it is left out. */
export const SurgeCellView = z.strictObject({
  object: z.literal('surge_cell'),
  cell: z.string(),
  live_mode: z.boolean(),
  demand: z.number().int().describe('Deliveries searched for whose goods are ready soon'),
  supply: z
    .number()
    .int()
    .nullable()
    .describe(
      'Couriers who are free soon, of many the nearest to what is searched for; null while nothing is searched for',
    ),
  ratio: z.number().describe('Demand over supply, the ring around included, averaged over the last minutes'),
  surge: z.number().describe('What your prices may go by: 1 and more, in steps of 0.1; the fees of this server do not'),
  counted_at: z.iso.datetime(),
});

export function presentSurgeCell({
  cell,
  liveMode,
  demand,
  supply,
  ratio,
  surge,
  at,
}: SurgeCell): z.output<typeof SurgeCellView> {
  return {
    object: 'surge_cell',
    cell,
    live_mode: liveMode,
    demand,
    supply,
    ratio: Math.round(ratio * 100) / 100,
    surge,
    counted_at: isoTime(at),
  };
}
