import type { Coordinates } from './geo.ts';

/** The farthest latitude of the square of Web Mercator, degrees. */
const MOST_LAT = 85.05112878;
const MOST_LNG = 180;
const CELLS = 2 ** 26;
const HALF_BITS = 13;
const LOW_HALF = 2 ** HALF_BITS - 1;

/**
 * The geohash of a place as a number of 52 bits, the score that `GEOADD` of Redis gives a member: 26 bits of latitude and
 * 26 of longitude, interleaved (G. M. Morton, 1966). A cell is at most 0.6 m wide. A place beyond the square has the
 * geohash of its nearest cell.
 */
export function geohashOf({ lat, lng }: Coordinates): number {
  const row = cellOf(lat, MOST_LAT);
  const column = cellOf(lng, MOST_LNG);
  const high = interleave(row >>> HALF_BITS, column >>> HALF_BITS);
  return high * CELLS + interleave(row & LOW_HALF, column & LOW_HALF);
}

/** The cell in which this many degrees lie, from 0 at `-most`. */
function cellOf(degrees: number, most: number): number {
  const cell = Math.floor(((degrees + most) / (most + most)) * CELLS);
  return Math.max(0, Math.min(CELLS - 1, cell));
}

/** Puts 13 bits of each number in turn, the last bit of `row` last. */
function interleave(row: number, column: number): number {
  return spread(row) | (spread(column) << 1);
}

/** Moves each of 16 bits to twice its place (S. E. Anderson, "Bit Twiddling Hacks"). */
function spread(bits: number): number {
  const bytes = (bits | (bits << 8)) & 0x00ff00ff;
  const nibbles = (bytes | (bytes << 4)) & 0x0f0f0f0f;
  const pairs = (nibbles | (nibbles << 2)) & 0x33333333;
  return (pairs | (pairs << 1)) & 0x55555555;
}
