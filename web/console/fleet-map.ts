import type { GeoJSON } from 'geojson';
import { LngLatBounds, type GeoJSONSource, type MapLayerMouseEvent } from 'maplibre-gl';
import { keep, readKept } from '../shared/kept.ts';
import { drawData, openBaseMap, type BaseMap } from '../shared/map-base.ts';
import type { DeliveryView, LegView } from '../shared/wire.ts';
import { demandCells } from './demand.ts';
import type { FleetCourier } from './fleet.ts';
import { courierPoints, deliveryPins, placeOf, wayOf } from './map-features.ts';
import { addLayers, CELLS_TO_ZOOM } from './map-layers.ts';
import type { Bounds } from './watched-cells.ts';
import { WORDS } from './words.ts';

export type FleetMap = {
  /** Resolves when they are on the map, so that a slow map receives only as much as it can draw. */
  drawCouriers(couriers: ReadonlyMap<string, FleetCourier>, now: number, picked: string | null): Promise<void>;
  drawDeliveries(
    open: readonly DeliveryView[],
    alarmed: ReadonlySet<string>,
    chosen: DeliveryView | null,
    legs: readonly LegView[],
  ): Promise<void>;
  drawDemand(open: readonly DeliveryView[], couriers: ReadonlyMap<string, FleetCourier>, now: number): Promise<void>;
  /** Fits the map to these places; does nothing for an empty list. */
  fit(deliveries: readonly DeliveryView[]): void;
  /** Moves the map to a delivery that is not visible. A pane of this width may cover the right side of the map. */
  show(delivery: DeliveryView, coveredPx: number): void;
  close(): void;
};

export type Hearing = {
  /** Called for the first place of the map too. */
  readonly onMoved: (bounds: Bounds, hasCells: boolean) => void;
  readonly onCourier: (id: string) => void;
  readonly onDelivery: (id: string) => void;
  /** Called when the map has lost what was drawn on it lately, so that it must be drawn again. */
  readonly onRestored: () => void;
};

type Kept = { readonly center: [number, number]; readonly zoom: number };

/** More couriers than this are drawn in clusters. */
const MOST_SINGLE = 300;
/** A strip of the map narrower than this is not useful. */
const LEAST_FREE_PX = 160;
const KEY = 'map';
const ANYWHERE: Kept = { center: [10, 50], zoom: 3.5 };

export async function openFleetMap(container: HTMLElement, hearing: Hearing): Promise<FleetMap> {
  const kept = readPlace();
  const base = await openBaseMap(container, kept ?? ANYWHERE, WORDS.map.label);
  const { view, covered } = base;
  if (covered !== null && (kept === null || !isWithin(kept, covered))) view.fitBounds(covered, { duration: 0 });
  addLayers(base);
  listen(base, hearing);
  let isClustered = false;
  const set = (source: string, data: GeoJSON): Promise<void> => drawData(view, source, data);
  const drawn = new Map<string, string>();
  /** Draws data that often stays the same. The same data again would cost frames. */
  const setIfNew = async (source: string, data: GeoJSON): Promise<void> => {
    const text = JSON.stringify(data);
    if (drawn.get(source) === text) return;
    drawn.set(source, text);
    await set(source, data);
  };
  // The map loads its style again when the browser gives back the graphics context that it took. Data that came meanwhile is
  // not drawn, and a source is not clustered any more.
  view.on('style.load', () => {
    drawn.clear();
    isClustered = false;
    hearing.onRestored();
  });
  return {
    drawCouriers: async (couriers, now, picked) => {
      if (couriers.size > MOST_SINGLE !== isClustered) {
        isClustered = !isClustered;
        await view.getSource<GeoJSONSource>('couriers')?.setClusterOptions({ cluster: isClustered });
      }
      const ringed = picked === null ? undefined : couriers.get(picked);
      await setIfNew('picked', courierPoints(ringed === undefined ? [] : [ringed], now));
      await set('couriers', courierPoints(couriers.values(), now));
    },
    drawDeliveries: async (open, alarmed, chosen, legs) => {
      // Both are drawn in the same turn, so that an older call cannot draw over a newer one.
      await Promise.all([
        setIfNew('way', wayOf(chosen, legs)),
        setIfNew('deliveries', deliveryPins(open, alarmed, chosen?.id ?? null)),
      ]);
    },
    drawDemand: (open, couriers, now) => setIfNew('cells', demandCells(open, couriers.values(), now)),
    fit: (deliveries) => {
      const bounds = new LngLatBounds();
      for (const delivery of deliveries) bounds.extend(placeOf(delivery));
      if (!bounds.isEmpty()) view.fitBounds(bounds, { padding: 80, maxZoom: 14, duration: 0 });
    },
    show: (delivery, coveredPx) => showOn(view, delivery, coveredPx),
    close: () => base.close(),
  };
}

function showOn(view: BaseMap['view'], delivery: DeliveryView, coveredPx: number): void {
  // The map hears of its new size a moment after the pane beside it has made it narrower.
  view.resize();
  const { clientWidth: width, clientHeight: height } = view.getContainer();
  const free = width - coveredPx;
  if (free < LEAST_FREE_PX) return;
  const places = [delivery.pickup, ...delivery.drop_off].map(({ coordinates: { lng, lat } }) => [lng, lat] as const);
  const points = places.map((place) => view.project([...place]));
  if (points.every(({ x, y }) => x > 0 && y > 0 && x < free && y < height)) return;
  const bounds = new LngLatBounds();
  for (const place of places) bounds.extend([...place]);
  const margin = Math.min(80, free / 4);
  const padding = { top: margin, bottom: margin, left: margin, right: coveredPx + margin };
  view.fitBounds(bounds, { padding, maxZoom: 14 });
}

function listen(base: BaseMap, { onMoved, onCourier, onDelivery }: Hearing): void {
  const { view } = base;
  let isByHand = false;
  // A window that gets another size and a delivery that is shown also move the map. The first turn of a wheel has no event here.
  view.on('movestart', ({ originalEvent }) => {
    isByHand = originalEvent !== undefined || view.scrollZoom.isActive();
  });
  const tellPlace = (): void => onMoved(boundsOf(base), view.getZoom() < CELLS_TO_ZOOM);
  view.on('moveend', () => {
    if (isByHand) keepPlace(view);
    tellPlace();
  });
  tellPlace();
  view.on('click', 'couriers', (event) => onCourier(idOf(event)));
  view.on('click', 'deliveries', (event) => onDelivery(idOf(event)));
  view.on('click', 'clusters', ({ lngLat, originalEvent }) =>
    view.easeTo({ center: lngLat, zoom: view.getZoom() + 2 }, { originalEvent }),
  );
  for (const layer of ['couriers', 'deliveries', 'clusters']) {
    view.on('mouseenter', layer, () => (view.getCanvas().style.cursor = 'pointer'));
    view.on('mouseleave', layer, () => (view.getCanvas().style.cursor = ''));
  }
}

function idOf({ features }: MapLayerMouseEvent): string {
  return String(features?.[0]?.properties['id']);
}

function boundsOf({ view }: BaseMap): Bounds {
  const bounds = view.getBounds();
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
}

function keepPlace(view: BaseMap['view']): void {
  const { lng, lat } = view.getCenter();
  const kept: Kept = { center: [lng, lat], zoom: view.getZoom() };
  keep(() => localStorage, KEY, JSON.stringify(kept));
}

/** A place outside the city was kept while the server had another map, or none. */
function isWithin({ center: [lng, lat] }: Kept, [west, south, east, north]: NonNullable<BaseMap['covered']>): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north;
}

function readPlace(): Kept | null {
  const kept = readKept(() => localStorage, KEY);
  return kept === null ? null : (JSON.parse(kept) as Kept);
}
