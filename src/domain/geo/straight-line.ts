/** Metres, or any other unit, east and north. */
type Vector = readonly [x: number, y: number];

/**
 * How far along a straight line the point nearest to another point lies, from 0 at its start to 1 at its end.
 * @param end the end of the line, seen from its start
 * @param point the other point, seen from there as well
 */
export function partNearest([endX, endY]: Vector, [x, y]: Vector): number {
  const squared = endX * endX + endY * endY;
  return squared === 0 ? 0 : Math.min(1, Math.max(0, (x * endX + y * endY) / squared));
}

/** How far a point is from a straight line that ends. Takes what `partNearest` does. */
export function awayFrom(end: Vector, point: Vector): number {
  const part = partNearest(end, point);
  return Math.hypot(point[0] - part * end[0], point[1] - part * end[1]);
}
