import type { AddLayerObject, ExpressionSpecification, Map as MapView } from 'maplibre-gl';
import type { BaseMap } from '../shared/map-base.ts';
import { paintImages } from './map-images.ts';

/** Cells are visible while a whole city fits on the map. */
export const CELLS_TO_ZOOM = 12;
const CLUSTER = ['has', 'point_count'] as const;

/** The layers below the names of the map, bottom first. */
const LOW_LAYERS: AddLayerObject[] = [
  { id: 'cells', type: 'fill', source: 'cells', maxzoom: CELLS_TO_ZOOM, paint: { 'fill-opacity': 0.3 } },
  {
    id: 'way-edge',
    type: 'line',
    source: 'way',
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-width': 8, 'line-opacity': 0.85 },
  },
  {
    id: 'way',
    type: 'line',
    source: 'way',
    filter: ['==', ['get', 'isStreets'], false],
    paint: { 'line-width': 3.5, 'line-dasharray': [2, 1.2] },
  },
  {
    id: 'way-streets',
    type: 'line',
    source: 'way',
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    filter: ['==', ['get', 'isStreets'], true],
    paint: { 'line-width': 4 },
  },
];

/** The layers above the names of the map, bottom first. */
const HIGH_LAYERS: AddLayerObject[] = [
  {
    id: 'way-stops',
    type: 'circle',
    source: 'way',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: { 'circle-radius': 6, 'circle-stroke-width': 2 },
  },
  {
    id: 'picked',
    type: 'circle',
    source: 'picked',
    paint: { 'circle-radius': 17, 'circle-opacity': 0.25, 'circle-stroke-width': 2 },
  },
  {
    id: 'couriers',
    type: 'symbol',
    source: 'couriers',
    filter: ['!', [...CLUSTER]],
    layout: {
      'icon-image': ['concat', 'courier-', ['get', 'state']],
      'icon-rotate': ['get', 'turn'],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
  },
  {
    id: 'clusters',
    type: 'circle',
    source: 'couriers',
    filter: [...CLUSTER],
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['get', 'point_count'], 2, 13, 50, 20, 500, 30],
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'cluster-counts',
    type: 'symbol',
    source: 'couriers',
    filter: [...CLUSTER],
    layout: {
      'text-field': ['get', 'point_count'],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-allow-overlap': true,
    },
  },
  {
    id: 'deliveries',
    type: 'symbol',
    source: 'deliveries',
    layout: {
      'icon-image': ['get', 'image'],
      'icon-size': ['get', 'size'],
      'icon-anchor': 'bottom',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'symbol-sort-key': ['get', 'rank'],
    },
  },
];

/** Adds the sources and layers of the console to the map, in the colours of the reader's scheme. */
export function addLayers({ view, onColours, names }: BaseMap): void {
  const data = { type: 'FeatureCollection' as const, features: [] };
  for (const id of ['cells', 'way', 'picked', 'deliveries']) view.addSource(id, { type: 'geojson', data });
  view.addSource('couriers', { type: 'geojson', data, cluster: false, clusterRadius: 44, clusterMaxZoom: 14 });
  let isFirst = true;
  onColours((colour) => {
    paintImages(view, colour);
    if (isFirst) {
      for (const layer of LOW_LAYERS) view.addLayer(layer, names);
      for (const layer of HIGH_LAYERS) view.addLayer(layer);
    }
    isFirst = false;
    paintLayers(view, colour);
  });
}

function paintLayers(view: MapView, colour: (token: string) => string): void {
  const halo = colour('--map-halo');
  const [plenty, even, lacking] = [colour('--green'), colour('--amber'), colour('--red')];
  const scale: ExpressionSpecification = ['interpolate', ['linear'], ['get', 'lack'], -1, plenty, 0, even, 1, lacking];
  view.setPaintProperty('cells', 'fill-color', scale);
  view.setPaintProperty('way-edge', 'line-color', halo);
  for (const layer of ['way', 'way-streets']) view.setPaintProperty(layer, 'line-color', colour('--map-ink'));
  view.setPaintProperty('way-stops', 'circle-color', colour('--map-ink'));
  view.setPaintProperty('way-stops', 'circle-stroke-color', halo);
  view.setPaintProperty('picked', 'circle-color', colour('--amber'));
  view.setPaintProperty('picked', 'circle-stroke-color', colour('--amber'));
  view.setPaintProperty('clusters', 'circle-color', colour('--surface'));
  view.setPaintProperty('clusters', 'circle-stroke-color', colour('--text-quiet'));
  view.setPaintProperty('cluster-counts', 'text-color', colour('--map-ink'));
  view.setPaintProperty('cluster-counts', 'text-halo-color', halo);
}
