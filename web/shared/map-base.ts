import { Map as MapView, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { FeatureCollection, GeoJSON } from 'geojson';
import type { GeoJSONSource, StyleSpecification } from 'maplibre-gl';
import landUrl from 'world-atlas/land-50m.json?url';
import { readsMiles } from './format.ts';
import { gridOver } from './grid.ts';

setWorkerUrl(workerUrl);

export type BaseMap = {
  readonly view: MapView;
  /** Runs now and after each change of the reader's colour scheme. `colour` reads a design token. */
  readonly onColours: (paint: (colour: (token: string) => string) => void) => void;
  readonly close: () => void;
};

export type Start = { readonly center: readonly [lng: number, lat: number]; readonly zoom: number };

/** Least distance between lines of the grid on the screen. */
const GRID_PX = 80;

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** Opens a map with land and a grid, only from files of this server. Resolves when layers can be added. */
export async function openBaseMap(container: HTMLElement, start: Start, label: string): Promise<BaseMap> {
  const view = new MapView({
    container,
    style: baseStyle(),
    center: [...start.center],
    zoom: start.zoom,
    minZoom: 2,
    maxZoom: 18,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 0,
    locale: { 'Map.Title': label },
  });
  view.touchZoomRotate.disableRotation();
  view.keyboard.disableRotation();
  view.addControl(new ScaleControl({ unit: readsMiles() ? 'imperial' : 'metric' }), 'bottom-left');
  view.on('dataloading', () => container.setAttribute('aria-busy', 'true'));
  view.on('idle', () => container.setAttribute('aria-busy', 'false'));
  await new Promise<void>((resolve) => view.once('load', () => resolve()));
  const closing = new AbortController();
  const base = coloured(view, closing.signal);
  base.onColours((colour) => paintBase(view, colour));
  keepGrid(view);
  drawLand(view, closing.signal).catch(() => {
    // The land is only a background. If it cannot be loaded, the grid and all layers still work.
  });
  return base;
}

/** Shows data on the map. Resolves when it is visible, or when the map was closed. */
export async function drawData(view: MapView, source: string, data: GeoJSON): Promise<void> {
  try {
    await view.getSource<GeoJSONSource>(source)?.setData(data);
  } catch {
    // The map was closed meanwhile.
  }
}

function coloured(view: MapView, signal: AbortSignal): BaseMap {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const colour = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return {
    view,
    onColours: (paint) => {
      paint(colour);
      scheme.addEventListener('change', () => paint(colour), { signal });
    },
    close: () => view.remove(),
  };
}

function baseStyle(): StyleSpecification {
  return {
    version: 8,
    sources: { land: { type: 'geojson', data: NOTHING }, grid: { type: 'geojson', data: NOTHING } },
    layers: [
      { id: 'water', type: 'background' },
      { id: 'land', type: 'fill', source: 'land' },
      { id: 'grid', type: 'line', source: 'grid' },
    ],
  };
}

/** The coast is accurate only to about 500 m, so it fades out at the scale of a city. */
function paintBase(view: MapView, colour: (token: string) => string): void {
  const land = colour('--map-land');
  view.setPaintProperty('water', 'background-color', [
    'interpolate',
    ['linear'],
    ['zoom'],
    7,
    colour('--map-water'),
    9,
    land,
  ]);
  view.setPaintProperty('land', 'fill-color', land);
  view.setPaintProperty('grid', 'line-color', colour('--map-grid'));
}

function keepGrid(view: MapView): void {
  const draw = (): void => {
    const bounds = view.getBounds();
    const reach = (bounds.getEast() - bounds.getWest()) / 2;
    const around = {
      west: bounds.getWest() - reach,
      south: Math.max(-85, bounds.getSouth() - reach),
      east: bounds.getEast() + reach,
      north: Math.min(85, bounds.getNorth() + reach),
    };
    void drawData(view, 'grid', gridOver(around, GRID_PX * metresPerPixel(view)));
  };
  view.on('moveend', draw);
  draw();
}

function metresPerPixel(view: MapView): number {
  const equatorM = 40_075_017;
  return (equatorM * Math.cos((view.getCenter().lat * Math.PI) / 180)) / (512 * 2 ** view.getZoom());
}

async function drawLand(view: MapView, signal: AbortSignal): Promise<void> {
  const [{ feature }, answer] = await Promise.all([import('topojson-client'), fetch(landUrl, { signal })]);
  const topology = (await answer.json()) as Parameters<typeof feature>[0];
  await drawData(view, 'land', feature(topology, topology.objects['land']));
}
