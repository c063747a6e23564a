declare module 'topojson-client' {
  import type { FeatureCollection } from 'geojson';

  export type Topology = { readonly type: 'Topology'; readonly objects: Record<string, object> };
  export function feature(topology: Topology, object: object | undefined): FeatureCollection;
}
