import { z } from 'zod';
import { isoTime } from '../../../domain/time.ts';
import { cellsWithin } from '../../../domain/geo/cells-within.ts';
import { isViewCell } from '../../../domain/geo/geo.ts';
import type { SurgeCell } from '../../../domain/surge/surge.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';

/** As many cells as a dispatcher can watch at once. */
const MOST_CELLS = 500;
const CELL_CHARACTERS = 15;
const WRONG_CELLS = `must be 1 to ${MOST_CELLS} H3 cells of resolution 7, separated by commas`;

/** A list of cells. All names have the same length, so a limit on the text also limits their number. */
const Cells = z
  .string()
  .max(MOST_CELLS * (CELL_CHARACTERS + 1), WRONG_CELLS)
  .regex(/^[0-9a-f]{15}(,[0-9a-f]{15})*$/, WRONG_CELLS)
  .transform((text) => text.split(','))
  .refine((cells) => cells.every(isViewCell), WRONG_CELLS);

const DEGREES = '-?[0-9]{1,3}(\\.[0-9]{1,15})?';
const WRONG_BOUNDS = 'must be west,south,east,north in degrees, with latitudes from -85 to 85';

const Bounds = z
  .string()
  .max(100)
  .regex(new RegExp(`^${DEGREES}(,${DEGREES}){3}$`), WRONG_BOUNDS)
  .transform((text, issues): readonly string[] => {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = text.split(',').map(Number);
    const isSound = west >= -180 && west <= east && east <= 180 && south >= -85 && south <= north && north <= 85;
    const cells = isSound ? cellsWithin({ west, south, east, north }, MOST_CELLS) : [];
    if (isSound && cells !== null) return cells;
    const message = isSound ? `must cover at most ${MOST_CELLS} cells` : WRONG_BOUNDS;
    issues.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const SurgeQuery = z
  .strictObject({
    cells: Cells.exactOptional().describe(
      'At most 500 H3 cells of resolution 7, separated by commas. Required if `bounds` is missing',
    ),
    bounds: Bounds.exactOptional().describe(
      'west,south,east,north in degrees, covering at most 500 cells. Use it instead of `cells`',
    ),
    live_mode: PlatformListQuery.shape.live_mode.describe('true lists live mode only, false test mode only'),
  })
  .refine(({ cells, bounds }) => (cells === undefined) !== (bounds === undefined), {
    error: 'must be given if `bounds` is missing, and left out otherwise',
    path: ['cells'],
  });

/** Demand and supply in a cell and mode. A cell without data has a surge of 1 and is left out. */
export const SurgeCellView = z.strictObject({
  object: z.literal('surge_cell'),
  cell: z.string(),
  live_mode: z.boolean(),
  demand: z.number().int().describe('Deliveries that search for a courier and whose goods are ready soon'),
  supply: z
    .number()
    .int()
    .nullable()
    .describe(
      'Couriers who are free soon, the nearest ones if there are many; null if no delivery searches for a courier',
    ),
  ratio: z.number().describe('Demand divided by supply, with the neighbouring cells, averaged over the last minutes'),
  surge: z
    .number()
    .describe(
      'A factor of 1 or more, in steps of 0.1, for your own prices. Fees use it up to the limit of their pricing rule',
    ),
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
