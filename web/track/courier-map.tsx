import type { Feature, LineString } from 'geojson';
import { LngLatBounds, Marker, type ExpressionSpecification, type LineLayerSpecification } from 'maplibre-gl';
import { render, type ComponentChild } from 'preact';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { Icon } from '../shared/icons.tsx';
import { metresBetween, type Fix } from '../shared/glide.ts';
import { drawData, openBaseMap, type BaseMap } from '../shared/map-base.ts';
import { openLine, splitAt, type StreetLine } from '../shared/street-line.ts';
import { createGlider, type Screen } from './glider.ts';
import { kindWords, STAGE_WORDS, WORDS } from './words.ts';

export type CourierMap = {
  /**
   * Shows the places of the delivery, the name of its courier, and the way along streets; without a line, a straight one.
   * A map that has all of this does nothing.
   */
  show(delivery: TrackDelivery): void;
  /** Moves the courier to a fix; null removes the marker. A stale marker is grey. */
  moveCourier(fix: Fix | null, isStale: boolean): void;
  showPickup(isShown: boolean): void;
  /** Shows everything again after the reader moved the map. */
  recentre(): void;
  close(): void;
};

type Place = { readonly lat: number; readonly lng: number };

const CLOSEST_ZOOM = 16;
/** Chooses lines along streets. Straight lines are dotted. */
const ALONG_STREETS: ExpressionSpecification = ['get', 'isStreets'];

function screenOf(page: Window): Screen {
  const still = page.matchMedia('(prefers-reduced-motion: reduce)');
  return {
    now: () => page.performance.now(),
    onFrame: (frame) => void page.requestAnimationFrame(frame),
    isStill: () => still.matches,
  };
}

/** Opens the map of one delivery with its drop-off, its pickup and later its courier. */
export async function openCourierMap(
  container: HTMLElement,
  delivery: TrackDelivery,
  onMoved: (isMoved: boolean) => void,
): Promise<CourierMap> {
  let { pickup, drop_off: dropOff } = delivery;
  const base = await openBaseMap(container, { center: middleOf(pickup, dropOff), zoom: 11 }, WORDS.map);
  addWay(base);
  const { first, marker, nameCourier, placeStops } = placeMarkers(base, delivery);
  let shown: Place | null = null;
  let line: StreetLine | null = null;
  let drawnLine: string | undefined;
  let ahead: readonly Place[] = [];
  const { fit, recentre } = keepInView(base, () => [shown ?? pickup, dropOff, ...ahead], onMoved);
  const draw = (drawn: Omit<Drawing, 'line' | 'dropOff'>): void =>
    void (ahead = drawWay(base, { ...drawn, line, dropOff }));
  const drawStart = (): void => draw({ alongM: 0, travelled: [], pose: pickup });
  const glider = createGlider(screenOf(window), (drawn) => {
    const { pose } = drawn;
    marker.setLngLat([pose.lng, pose.lat]).setRotation(pose.heading);
    draw(drawn);
  });
  fit(false);
  drawStart();
  return {
    show: (next) => {
      nameCourier(next);
      const isCorrected = metresBetween(next.pickup, pickup) + metresBetween(next.drop_off, dropOff) > 0;
      if (next.polyline === drawnLine && !isCorrected) return;
      ({ pickup, drop_off: dropOff, polyline: drawnLine } = next);
      placeStops(next);
      line = drawnLine === undefined ? null : openLine(drawnLine);
      drawStart();
      glider.followLine(line);
      fit(false);
    },
    moveCourier: (fix, isStale) => {
      marker.getElement().classList.toggle('courier-stale', isStale);
      const isNew = marker.getElement().parentElement === null;
      if (fix === null) {
        if (isNew) return;
        // Another stop now comes before this one, and nothing on the map may say where the courier is or was.
        marker.remove();
        shown = null;
        glider.stop();
        drawStart();
        return;
      }
      // The page calls this every second, and a map on which nothing changes costs no frames.
      if (fix === shown && !isNew) return;
      shown = fix;
      glider.moveTo(fix);
      if (isNew) marker.addTo(base.view);
      if (isNew || !isComfortable(base, fix, dropOff)) fit(true);
    },
    showPickup: (isShown) => void (isShown ? first.addTo(base.view) : first.remove()),
    recentre,
    close: () => base.close(),
  };
}

/** Keeps these places in view until the reader moves the map, and from `recentre` on again. */
function keepInView(base: BaseMap, placesOf: () => readonly Place[], onMoved: (isMoved: boolean) => void) {
  let isFree = true;
  const fit = (isSlow: boolean): void => {
    if (isFree) fitAll(base, placesOf(), isSlow);
  };
  // A move by this page has no event of the reader, and the first turn of a wheel has none here either.
  base.view.on('movestart', ({ originalEvent }) => {
    if (originalEvent === undefined && !base.view.scrollZoom.isActive()) return;
    isFree = false;
    onMoved(true);
  });
  base.view.on('resize', () => fit(false));
  const recentre = (): void => {
    isFree = true;
    onMoved(false);
    fit(true);
  };
  return { fit, recentre };
}

/** Shows the drop-off, and prepares the markers of the pickup and the courier. */
function placeMarkers(base: BaseMap, delivery: TrackDelivery) {
  const { pickup, drop_off: dropOff, vendor } = delivery;
  const [start, end] = [kindWords(delivery).start(vendor.name), kindWords(delivery).end(vendor.name)];
  const last = placeMarker('place place-drop-off', <Icon name={end.icon} label={end.label} />, dropOff).addTo(
    base.view,
  );
  const first = placeMarker('place', <Icon name={start.icon} label={start.label} />, pickup);
  const marker = placeMarker('courier', null, pickup).setRotationAlignment('map');
  const nameCourier = ({ courier }: TrackDelivery): void => {
    const name = courier?.first_name ?? STAGE_WORDS.someone;
    render(<Icon name="heading" label={WORDS.courierMarker(name)} />, marker.getElement());
  };
  const placeStops = (next: TrackDelivery): void => {
    last.setLngLat([next.drop_off.lng, next.drop_off.lat]);
    first.setLngLat([next.pickup.lng, next.pickup.lat]);
  };
  return { first, marker, nameCourier, placeStops };
}

function middleOf(one: Place, other: Place): [lng: number, lat: number] {
  return [(one.lng + other.lng) / 2, (one.lat + other.lat) / 2];
}

function placeMarker(className: string, content: ComponentChild, { lat, lng }: Place): Marker {
  const element = document.createElement('div');
  element.className = className;
  render(content, element);
  return new Marker({ element }).setLngLat([lng, lat]);
}

function addWay({ view, onColours, names }: BaseMap): void {
  view.addSource('travelled', { type: 'geojson', data: feature([], false) });
  view.addSource('ahead', { type: 'geojson', data: feature([], false) });
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  // The edges are below both lines and keep them apart from the streets.
  for (const source of ['travelled', 'ahead']) {
    const paint = { 'line-width': 9, 'line-opacity': 0.85 };
    view.addLayer({ id: `${source}-edge`, type: 'line', source, layout, paint }, names);
  }
  const lines: LineLayerSpecification[] = [
    {
      id: 'travelled',
      type: 'line',
      source: 'travelled',
      layout,
      paint: { 'line-width': 4.5, 'line-opacity': 0.45 },
    },
    {
      id: 'ahead',
      type: 'line',
      source: 'ahead',
      layout,
      filter: ['!', ALONG_STREETS],
      paint: { 'line-width': 4, 'line-dasharray': [0.1, 2.2] },
    },
    {
      id: 'ahead-streets',
      type: 'line',
      source: 'ahead',
      layout,
      filter: ALONG_STREETS,
      paint: { 'line-width': 4.5 },
    },
  ];
  for (const line of lines) view.addLayer(line, names);
  onColours((colour) => {
    view.setPaintProperty('travelled-edge', 'line-color', colour('--map-halo'));
    view.setPaintProperty('ahead-edge', 'line-color', colour('--map-halo'));
    view.setPaintProperty('travelled', 'line-color', colour('--accent'));
    for (const layer of ['ahead', 'ahead-streets']) view.setPaintProperty(layer, 'line-color', colour('--accent'));
  });
}

type Drawing = {
  readonly line: StreetLine | null;
  readonly alongM: number | null;
  readonly travelled: readonly Place[];
  readonly pose: Place;
  readonly dropOff: Place;
};

/**
 * Draws the way along streets where the courier is on it, and otherwise their positions and a straight line. Returns the part
 * ahead.
 */
function drawWay({ view }: BaseMap, { line, alongM, travelled, pose, dropOff }: Drawing): readonly Place[] {
  const isStreets = line !== null && alongM !== null;
  const { done, ahead } = isStreets ? splitAt(line, alongM) : { done: [...travelled, pose], ahead: [pose, dropOff] };
  void drawData(view, 'travelled', feature(done, isStreets));
  void drawData(view, 'ahead', feature(ahead, isStreets));
  return ahead;
}

function feature(places: readonly Place[], isStreets: boolean): Feature<LineString> {
  const coordinates = places.map(({ lng, lat }) => [lng, lat]);
  return { type: 'Feature', properties: { isStreets }, geometry: { type: 'LineString', coordinates } };
}

function fitAll({ view }: BaseMap, places: readonly Place[], isSlow: boolean): void {
  const bounds = new LngLatBounds();
  for (const { lng, lat } of places) bounds.extend([lng, lat]);
  const { clientWidth: width, clientHeight: height } = view.getContainer();
  const padding = Math.max(56, Math.min(width, height) * 0.18);
  view.fitBounds(bounds, { padding, maxZoom: CLOSEST_ZOOM, duration: isSlow ? 800 : 0 });
}

/** Says whether both ends are on the map and far enough apart. */
function isComfortable({ view }: BaseMap, courier: Place, dropOff: Place): boolean {
  const { clientWidth: width, clientHeight: height } = view.getContainer();
  const [one, other] = [view.project([courier.lng, courier.lat]), view.project([dropOff.lng, dropOff.lat])];
  const isInside = [one, other].every(({ x, y }) => x > 24 && y > 24 && x < width - 24 && y < height - 24);
  const spread = Math.max(Math.abs(one.x - other.x) / width, Math.abs(one.y - other.y) / height);
  return isInside && (spread > 0.3 || view.getZoom() > CLOSEST_ZOOM - 0.5);
}
