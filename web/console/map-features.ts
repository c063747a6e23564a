import type { Feature, FeatureCollection, LineString, Point } from 'geojson';
import { decodePolyline } from '../../src/domain/geo/polyline.ts';
import { leads } from '../../src/domain/geo/route.ts';
import { byVisit } from '../../src/domain/deliveries/stops/stop.ts';
import type { DeliveryView, LegView } from '../shared/wire.ts';
import { courierState, type FleetCourier } from './fleet.ts';

type Place = { readonly lat: number; readonly lng: number };

/** Couriers as points of the map. */
export function courierPoints(couriers: Iterable<FleetCourier>, now: number): FeatureCollection<Point> {
  return collect(
    [...couriers].map((courier) => {
      const state = courierState(courier, now);
      return point(courier, { id: courier.id, state, turn: state === 'busy' ? courier.heading : 0 });
    }),
  );
}

/**
 * Deliveries as pins: at the pickup until collection, then at the drop-off. Pins with a higher rank lie above others: those with
 * an alarm, and the chosen one above all.
 */
export function deliveryPins(
  deliveries: Iterable<DeliveryView>,
  alarmed: ReadonlySet<string>,
  chosen: string | null,
): FeatureCollection<Point> {
  return collect(
    [...deliveries].map((delivery) => {
      const [isAlarmed, isChosen] = [alarmed.has(delivery.id), delivery.id === chosen];
      const image = `${isAlarmed ? 'alarm' : 'delivery'}-${delivery.status}`;
      const rank = isChosen ? 2 : Number(isAlarmed);
      return point(placeOf(delivery), { id: delivery.id, image, size: isChosen ? 1.3 : 1, rank });
    }),
  );
}

/** The place of a delivery on the map: its pickup, or its next drop-off after collection. */
export function placeOf({ status, pickup, drop_off: dropOffs }: DeliveryView): Place {
  if (status !== 'picked_up' && status !== 'in_transit') return pickup.coordinates;
  const visits = byVisit(dropOffs);
  const next = visits.find((stop) => stop.status === 'pending' || stop.status === 'arrived');
  return (next ?? visits.at(-1) ?? pickup).coordinates;
}

/**
 * The way of the chosen delivery from the pickup through its drop-offs: along streets, or straight where no line is known or
 * where the line does not lead to the present place of a stop.
 */
export function wayOf(delivery: DeliveryView | null, legs: readonly LegView[]): FeatureCollection<LineString | Point> {
  if (delivery === null) return collect([]);
  const stops = [delivery.pickup, ...byVisit(delivery.drop_off)];
  const lines = stops.slice(1).map((to, at) => {
    const [from, place] = [(stops[at] ?? to).coordinates, to.coordinates];
    const leg = legs.find((each) => each.to === to.stop && leads(each.polyline, from, place));
    return line(leg === undefined ? [from, place] : decodePolyline(leg.polyline), { isStreets: leg !== undefined });
  });
  return collect<LineString | Point>([...lines, ...stops.map(({ coordinates }) => point(coordinates, {}))]);
}

function line(places: readonly Place[], properties: { isStreets: boolean }): Feature<LineString> {
  const coordinates = places.map(({ lat, lng }) => [lng, lat]);
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
}

function point({ lat, lng }: Place, properties: Record<string, string | number>): Feature<Point> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

function collect<G extends LineString | Point>(features: Feature<G>[]): FeatureCollection<G> {
  return { type: 'FeatureCollection', features };
}
