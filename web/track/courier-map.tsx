import type { Feature, LineString } from 'geojson';
import { LngLatBounds, Marker } from 'maplibre-gl';
import { render, type ComponentChild } from 'preact';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { glideMs, poseBetween, type Pose } from '../shared/glide.ts';
import { Icon } from '../shared/icons.tsx';
import { drawData, openBaseMap, type BaseMap } from '../shared/map-base.ts';
import type { Fix } from './follow.ts';
import { STAGE_WORDS, WORDS } from './words.ts';

export type CourierMap = {
  /** Moves the courier to a fix; null removes the marker. A stale marker is grey. */
  moveCourier(fix: Fix | null, isStale: boolean): void;
  showPickup(isShown: boolean): void;
  /** Shows everything again after the reader moved the map. */
  recentre(): void;
  close(): void;
};

type Place = { readonly lat: number; readonly lng: number };

const CLOSEST_ZOOM = 16;

/** Opens the map of one delivery with its drop-off, its pickup and later its courier. */
export async function openCourierMap(
  container: HTMLElement,
  { pickup, drop_off: dropOff, vendor, courier }: TrackDelivery,
  onMoved: (isMoved: boolean) => void,
): Promise<CourierMap> {
  const middle = [(pickup.lng + dropOff.lng) / 2, (pickup.lat + dropOff.lat) / 2] as const;
  const base = await openBaseMap(container, { center: middle, zoom: 11 }, WORDS.map);
  addWay(base);
  placeMarker('place place-drop-off', <Icon name="home" label={WORDS.dropOff} />, dropOff).addTo(base.view);
  const shop = placeMarker('place', <Icon name="shop" label={WORDS.pickup(vendor.name)} />, pickup);
  const name = courier?.first_name ?? STAGE_WORDS.someone;
  const marker = placeMarker('courier', <Icon name="heading" label={WORDS.courierMarker(name)} />, pickup);
  marker.setRotationAlignment('map');
  let isFree = true;
  let shown: Place = pickup;
  const fit = (isSlow: boolean): void => fitBoth(base, shown, dropOff, isSlow);
  base.view.on('dragstart', () => {
    isFree = false;
    onMoved(true);
  });
  base.view.on('resize', () => isFree && fit(false));
  const glide = glider((pose, travelled) => {
    marker.setLngLat([pose.lng, pose.lat]).setRotation(pose.heading);
    drawWay(base, travelled, pose, dropOff);
  });
  fit(false);
  drawWay(base, [], pickup, dropOff);
  return {
    moveCourier: (fix, isStale) => {
      marker.getElement().classList.toggle('courier-stale', isStale);
      const isNew = marker.getElement().parentElement === null;
      if (fix === null) {
        marker.remove();
        // Another stop now comes before this one, so the position of the courier is no longer shown.
        if (!isNew) drawWay(base, [], pickup, dropOff);
        return;
      }
      shown = fix;
      glide(fix);
      if (isNew) marker.addTo(base.view);
      if (isFree && (isNew || !isComfortable(base, fix, dropOff))) fit(true);
    },
    showPickup: (isShown) => void (isShown ? shop.addTo(base.view) : shop.remove()),
    recentre: () => {
      isFree = true;
      onMoved(false);
      fit(true);
    },
    close: () => base.close(),
  };
}

function placeMarker(className: string, content: ComponentChild, { lat, lng }: Place): Marker {
  const element = document.createElement('div');
  element.className = className;
  render(content, element);
  return new Marker({ element }).setLngLat([lng, lat]);
}

function addWay({ view, onColours }: BaseMap): void {
  view.addSource('travelled', { type: 'geojson', data: line([]) });
  view.addSource('ahead', { type: 'geojson', data: line([]) });
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  // The edges are below both lines and keep them apart from the streets.
  for (const source of ['travelled', 'ahead']) {
    const paint = { 'line-width': 9, 'line-opacity': 0.85 };
    view.addLayer({ id: `${source}-edge`, type: 'line', source, layout, paint });
  }
  view.addLayer({
    id: 'travelled',
    type: 'line',
    source: 'travelled',
    layout,
    paint: { 'line-width': 4.5, 'line-opacity': 0.45 },
  });
  view.addLayer({
    id: 'ahead',
    type: 'line',
    source: 'ahead',
    layout,
    paint: { 'line-width': 4, 'line-dasharray': [0.1, 2.2] },
  });
  onColours((colour) => {
    view.setPaintProperty('travelled-edge', 'line-color', colour('--map-halo'));
    view.setPaintProperty('ahead-edge', 'line-color', colour('--map-halo'));
    view.setPaintProperty('travelled', 'line-color', colour('--accent'));
    view.setPaintProperty('ahead', 'line-color', colour('--accent'));
  });
}

function drawWay({ view }: BaseMap, travelled: readonly Place[], at: Place, dropOff: Place): void {
  void drawData(view, 'travelled', line([...travelled, at]));
  void drawData(view, 'ahead', line([at, dropOff]));
}

function line(places: readonly Place[]): Feature<LineString> {
  const coordinates = places.map(({ lng, lat }) => [lng, lat]);
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}

function fitBoth({ view }: BaseMap, one: Place, other: Place, isSlow: boolean): void {
  const bounds = new LngLatBounds([one.lng, one.lat], [one.lng, one.lat]).extend([other.lng, other.lat]);
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

/** Moves a pose from fix to fix in the time between the last two. Readers who prefer reduced motion see it jump. */
function glider(draw: (pose: Pose, travelled: readonly Place[]) => void): (fix: Fix) => void {
  const most = 2000;
  const travelled: Place[] = [];
  let from: Pose | null = null;
  let to: Fix | null = null;
  let startedAt = 0;
  let tookMs = 0;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)');
  const poseNow = (target: Fix): Pose => {
    const part = isStill.matches ? 1 : (performance.now() - startedAt) / tookMs;
    return from === null ? target : poseBetween(from, target, part);
  };
  const tick = (target: Fix): void => {
    if (target !== to) return;
    draw(poseNow(target), travelled);
    if (performance.now() < startedAt + tookMs) requestAnimationFrame(() => tick(target));
  };
  return (fix) => {
    if (fix.at === to?.at) return;
    if (to !== null) {
      from = poseNow(to);
      travelled.push(to);
      if (travelled.length > most) travelled.shift();
    }
    const now = performance.now();
    tookMs = glideMs(to === null ? 0 : now - startedAt);
    startedAt = now;
    to = fix;
    tick(fix);
  };
}
