import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';

/** What a position is besides whose, as Redis holds and carries it: an array, since names would be most of the bytes. */
type Fields = readonly [number, number, number, number, number, number, number, number];

/** The JSON of a position without its ends, built by hand: it is made for every ping. */
export function encodePosition(p: Position): string {
  return `${p.seq},${p.at},${p.lat},${p.lng},${p.accuracyM},${p.speedMps},${p.headingDeg},${p.receivedAt}`;
}

export function decodePosition(courierId: CourierId, text: string): Position {
  return toPosition(courierId, JSON.parse(`[${text}]`) as Fields);
}

/**
 * What one process tells the others of a region: new positions, and couriers heard of without one.
 * @param rows `"id",` and the encoded position; ids hold nothing that JSON would escape
 */
export function encodeBatch(rows: readonly string[], touched: readonly CourierId[]): string {
  return `[[${rows.length === 0 ? '' : `[${rows.join('],[')}]`}],${JSON.stringify(touched)}]`;
}

export function decodeBatch(text: string): { positions: Position[]; touched: CourierId[] } {
  const [rows, touched] = JSON.parse(text) as [[CourierId, ...Fields][], CourierId[]];
  return { positions: rows.map(([courierId, ...fields]) => toPosition(courierId, fields)), touched };
}

function toPosition(
  courierId: CourierId,
  [seq, at, lat, lng, accuracyM, speedMps, headingDeg, receivedAt]: Fields,
): Position {
  return { courierId, seq, at, lat, lng, accuracyM, speedMps, headingDeg, receivedAt };
}
