import { cutStart } from '../geo/lines.ts';
import { leads } from '../geo/route.ts';
import { dropOffsToGo, type Delivery } from './delivery.ts';
import { HIDDEN_M } from './stops/hidden.ts';
import { byVisit, type Stop } from './stops/stop.ts';

/** The way along streets between two stops, as an encoded line. */
export type DrawnLeg = { readonly from: Stop; readonly to: Stop; readonly polyline: string };

/**
 * The legs of a delivery that have a line, in the order of visits.
 * @param polylines the lines of all legs in that order. One that does not lead to the present place of its stop is left out.
 */
export function legsOf({ pickup, dropOffs }: Delivery, polylines: readonly string[]): DrawnLeg[] {
  const stops = [pickup, ...byVisit(dropOffs)];
  return polylines.flatMap((polyline, at) => {
    const [from, to] = [stops[at], stops[at + 1]];
    const isRight = from !== undefined && to !== undefined && leads(polyline, from.place, to.place);
    return isRight ? [{ from, to, polyline }] : [];
  });
}

/** Says whether the recipient of this stop may see the line to it: while it is next, so that others stay unseen. */
export function mayShowLine(delivery: Delivery, own: Stop): boolean {
  return delivery.distanceSource === 'route' && dropOffsToGo(delivery)[0]?.index === own.index;
}

/** The line to a drop-off for its recipient, or null. It never shows where another recipient is. */
export function lineTo(own: Stop, legs: readonly DrawnLeg[]): string | null {
  const leg = legs.find(({ to }) => to.index === own.index);
  if (leg === undefined) return null;
  return leg.from.index === 0 ? leg.polyline : cutStart(leg.polyline, leg.from.place, HIDDEN_M);
}
