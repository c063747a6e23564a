import { AttributionControl, Map as MapView, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import mapStyles from 'maplibre-gl/dist/maplibre-gl.css?inline';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { FeatureCollection, GeoJSON } from 'geojson';
import type { GeoJSONSource, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import landUrl from 'world-atlas/land-50m.json?url';
import { readsMiles } from './format.ts';
import { gridOver } from './grid.ts';
import type { Colour } from './map/looks.ts';
import { watchTiles } from './map/missing-tiles.ts';
import { openGiven, type Given } from './map/open-map.ts';
import { lowestName, STREETS, streetLayers } from './map/style.ts';

// The styles come with this script. A sheet of their own could be missing, and Vite does not load such a sheet a second time.
const sheet = new CSSStyleSheet();
sheet.replaceSync(mapStyles);
document.adoptedStyleSheets.push(sheet);

export type BaseMap = {
  readonly view: MapView;
  /** Runs now and after each change of the reader's colour scheme. `colour` reads a design token. */
  readonly onColours: (paint: (colour: Colour) => void) => void;
  /** The bounds of the tiles, as west, south, east and north; null if the map is of everywhere. */
  readonly covered: [number, number, number, number] | null;
  /** The lowest layer of names, below which ways lie; undefined if the map has no names. */
  readonly names: string | undefined;
  readonly close: () => void;
};

type Paint = Parameters<MapView['setPaintProperty']>[1];

export type Start = { readonly center: readonly [lng: number, lat: number]; readonly zoom: number };

/** Least distance between lines of the grid on the screen. */
const GRID_PX = 80;

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** The address in this page of the code of the map's worker; null until it has been loaded. */
let workerAt: string | null = null;

/**
 * Opens the map that the server gives its pages. Without one it has land and a grid, from files of this server. Resolves when
 * layers can be added, and rejects if a file of the map is missing.
 */
export async function openBaseMap(container: HTMLElement, start: Start, label: string): Promise<BaseMap> {
  const [given] = await Promise.all([openGiven(), loadWorker()]);
  const view = new MapView({
    container,
    style: styleOf(given),
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
  // The source of the data is never folded away, however narrow the map is.
  if (given.kind !== 'grid') addCredit(view, container);
  view.addControl(new ScaleControl({ unit: readsMiles() ? 'imperial' : 'metric' }), 'bottom-left');
  watchTiles(view, () => given.kind === 'tiles' && showGrid(view));
  view.on('dataloading', () => container.setAttribute('aria-busy', 'true'));
  view.on('idle', () => container.setAttribute('aria-busy', 'false'));
  // `load` would wait for all tiles in view, and tiles of a slow host must not hold up couriers and stops.
  await new Promise<void>((resolve) => view.once('style.load', () => resolve()));
  const closing = new AbortController();
  const covered = given.kind === 'tiles' ? (given.source.bounds ?? null) : null;
  const base = { ...coloured(view, closing), covered, names: lowestName(view.getStyle().layers) };
  if (given.kind === 'style') return base;
  base.onColours((colour) => paintBase(view, given, colour));
  if (given.kind === 'grid') showGrid(view);
  drawLand(view, closing.signal).catch(() => {
    // The land is only a background. If it cannot be loaded, the grid and all layers still work.
  });
  return base;
}

/** Loads the code of the worker. A map whose worker has none stays blank and reports no error. */
async function loadWorker(): Promise<void> {
  if (workerAt !== null) return;
  const answer = await fetch(workerUrl);
  if (!answer.ok) {
    // The page reloads itself once, as it does for a script of another release that is missing. Any other refusal may pass.
    if (answer.status === 404) dispatchEvent(new Event('vite:preloadError'));
    throw new Error(`The request for the worker of the map was answered with ${answer.status}.`);
  }
  workerAt = URL.createObjectURL(await answer.blob());
  setWorkerUrl(workerAt);
}

/** Names the source of the data. Its links open beside the page, so that nobody loses their work or their delivery. */
function addCredit(view: MapView, container: HTMLElement): void {
  view.addControl(new AttributionControl({ compact: false }), 'bottom-left');
  container.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('.maplibregl-ctrl-attrib a') : null;
    link?.setAttribute('target', '_blank');
  });
}

/** Shows data on the map. Resolves when it is visible, or when the map was closed. */
export async function drawData(view: MapView, source: string, data: GeoJSON): Promise<void> {
  try {
    await view.getSource<GeoJSONSource>(source)?.setData(data);
  } catch {
    // The map was closed meanwhile.
  }
}

function coloured(view: MapView, closing: AbortController): Omit<BaseMap, 'covered' | 'names'> {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  return {
    view,
    onColours: (paint) => {
      paint(colour);
      scheme.addEventListener('change', () => paint(colour), { signal: closing.signal });
    },
    close: () => {
      closing.abort();
      view.remove();
    },
  };
}

/** Reads a design token in the colour scheme of this moment. */
function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

function styleOf(given: Given): StyleSpecification {
  if (given.kind === 'style') return given.style;
  const empty = { type: 'geojson' as const, data: NOTHING };
  const sources = { land: empty, grid: empty };
  const background: LayerSpecification[] = [
    { id: 'sea', type: 'background' },
    { id: 'land', type: 'fill', source: 'land' },
    { id: 'grid', type: 'line', source: 'grid' },
  ];
  if (given.kind === 'grid') return { version: 8, sources, layers: background };
  const streets = streetLayers(given.schema, navigator.language, colour);
  return { version: 8, sources: { ...sources, [STREETS]: given.source }, layers: [...background, ...streets] };
}

/** The coast is accurate only to about 500 m, so it fades out at the scale of a city. */
function paintBase(view: MapView, given: Given, colourOf: Colour): void {
  const land = colourOf('--map-land');
  view.setPaintProperty('sea', 'background-color', [
    'interpolate',
    ['linear'],
    ['zoom'],
    7,
    colourOf('--map-water'),
    9,
    land,
  ]);
  view.setPaintProperty('land', 'fill-color', land);
  view.setPaintProperty('grid', 'line-color', colourOf('--map-grid'));
  if (given.kind === 'tiles') paintStreets(view, streetLayers(given.schema, navigator.language, colourOf));
}

/** Only the colours of a style depend on the colour scheme. */
function paintStreets(view: MapView, layers: readonly LayerSpecification[]): void {
  for (const { id, paint = {} } of layers) {
    for (const [property, value] of Object.entries(paint) as [Paint, string][]) {
      if (property.endsWith('-color')) view.setPaintProperty(id, property, value);
    }
  }
}

/** The grid lies below the streets, so it is visible where there are none. */
function showGrid(view: MapView): void {
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
