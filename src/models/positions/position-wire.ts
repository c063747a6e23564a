import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';

/** A position without its courier, as stored and sent in Redis: an array, since names would be most of the bytes. */
type Fields = readonly [number, number, number, number, number, number, number, number];

/** The JSON of a position without its brackets. It is needed for every ping, so it is built directly. */
export function encodePosition(p: Position): string {
  return `${p.seq},${p.at},${p.lat},${p.lng},${p.accuracyM},${p.speedMps},${p.headingDeg},${p.receivedAt}`;
}

export function decodePosition(courierId: CourierId, text: string): Position {
  return toPosition(courierId, JSON.parse(`[${text}]`) as Fields);
}

/**
 * The message of one process about a region: new positions, and couriers who were heard without one.
 * @param rows `"id",` and the encoded position; ids contain nothing that JSON would escape
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
