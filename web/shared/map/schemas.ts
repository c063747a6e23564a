import type { ExpressionSpecification } from 'maplibre-gl';

/** The kinds of things that our style draws. Each role has its own look, and each schema has its own place for it. */
export type Role =
  | 'field'
  | 'built'
  | 'campus'
  | 'bare'
  | 'green'
  | 'wood'
  | 'water'
  | 'stream'
  | 'building'
  | 'path'
  | 'service'
  | 'street'
  | 'middle'
  | 'major'
  | 'highway'
  | 'rail'
  | 'boundary'
  | 'street-name'
  | 'water-name'
  | 'town'
  | 'village'
  | 'quarter'
  | 'house-number';

/** The features of a role: a layer of the tiles, and the condition for its features. */
export type Place = { readonly layer: string; readonly filter: ExpressionSpecification };

/** A schema: which layers the tiles have, and where the style finds what it draws. */
export type Schema = {
  /** The layer with the streets. Tiles that have it are of this schema. */
  readonly streets: string;
  readonly places: Readonly<Record<Role, readonly Place[]>>;
  readonly houseNumber: string;
};

/** Features of a layer whose property has one of these values. */
function where(layer: string, property: string, ...values: string[]): Place {
  return { layer, filter: ['in', ['get', property], ['literal', values]] };
}

const isLine: ExpressionSpecification = ['in', ['geometry-type'], ['literal', ['LineString', 'MultiLineString']]];
const isNamed: ExpressionSpecification = ['any', ['has', 'name'], ['has', 'name:latin']];
const isArea: ExpressionSpecification = ['in', ['geometry-type'], ['literal', ['Polygon', 'MultiPolygon']]];

/** The same features, if they also meet a condition. */
function and({ layer, filter }: Place, condition: ExpressionSpecification): Place {
  return { layer, filter: ['all', filter, condition] };
}

/** https://docs.protomaps.com/basemaps/layers, version 4. `npm run streets` writes these layers too. */
// One row per line: this is a table.
// oxfmt-ignore
const PROTOMAPS: Schema = {
  streets: 'roads',
  houseNumber: 'addr_housenumber',
  places: {
    field:    [where('landuse', 'kind', 'farmland', 'meadow', 'orchard', 'vineyard', 'scrub')],
    built:    [where('landuse', 'kind', 'residential', 'commercial', 'industrial', 'railway', 'aerodrome', 'runway', 'taxiway', 'apron')],
    campus:   [where('landuse', 'kind', 'school', 'kindergarten', 'college', 'university', 'hospital', 'parking')],
    bare:     [where('landuse', 'kind', 'bare_rock', 'scree', 'glacier', 'sand', 'beach', 'quarry')],
    green:    [where('landuse', 'kind', 'park', 'garden', 'grass', 'grassland', 'golf_course', 'recreation_ground', 'allotments', 'cemetery', 'pitch', 'playground', 'dog_park', 'zoo', 'stadium', 'wetland', 'theme_park')],
    wood:     [where('landuse', 'kind', 'forest', 'wood')],
    water:    [{ layer: 'water', filter: isArea }],
    stream:   [and(where('water', 'kind', 'river', 'stream', 'canal', 'drain', 'ditch'), isLine)],
    building: [where('buildings', 'kind', 'building', 'building_part')],
    path:     [where('roads', 'kind', 'path')],
    service:  [where('roads', 'kind_detail', 'service')],
    street:   [and(where('roads', 'kind', 'minor_road'), ['!=', ['get', 'kind_detail'], 'service'])],
    middle:   [and(where('roads', 'kind', 'major_road', 'medium_road'), ['==', ['get', 'kind_detail'], 'tertiary'])],
    major:    [and(where('roads', 'kind', 'major_road'), ['!=', ['get', 'kind_detail'], 'tertiary'])],
    highway:  [where('roads', 'kind', 'highway')],
    rail:     [where('roads', 'kind', 'rail')],
    boundary: [where('boundaries', 'kind', 'country')],
    'street-name':  [where('roads', 'kind', 'highway', 'major_road', 'medium_road', 'minor_road', 'path')],
    'water-name':   [{ layer: 'water', filter: isNamed }],
    town:           [where('places', 'kind_detail', 'city', 'town')],
    village:        [where('places', 'kind_detail', 'village', 'hamlet', 'isolated_dwelling')],
    quarter:        [where('places', 'kind', 'neighbourhood', 'macrohood')],
    'house-number': [where('buildings', 'kind', 'address')],
  },
};

/** https://openmaptiles.org/schema, version 3. */
// oxfmt-ignore
const OPENMAPTILES: Schema = {
  streets: 'transportation',
  houseNumber: 'housenumber',
  places: {
    field:    [where('landcover', 'class', 'farmland')],
    built:    [where('landuse', 'class', 'residential', 'suburb', 'neighbourhood', 'commercial', 'industrial', 'retail', 'railway')],
    campus:   [where('landuse', 'class', 'school', 'kindergarten', 'college', 'university', 'hospital')],
    bare:     [where('landcover', 'class', 'sand', 'rock', 'ice'), where('landuse', 'class', 'quarry')],
    green:    [where('landcover', 'class', 'grass', 'wetland'), where('landuse', 'class', 'cemetery', 'pitch', 'playground', 'zoo', 'stadium', 'theme_park')],
    wood:     [where('landcover', 'class', 'wood')],
    water:    [{ layer: 'water', filter: isArea }],
    stream:   [{ layer: 'waterway', filter: isLine }],
    building: [{ layer: 'building', filter: isArea }],
    path:     [where('transportation', 'class', 'path', 'track', 'path_pedestrian')],
    service:  [where('transportation', 'class', 'service')],
    street:   [where('transportation', 'class', 'minor')],
    middle:   [where('transportation', 'class', 'tertiary')],
    major:    [where('transportation', 'class', 'secondary', 'primary', 'trunk')],
    highway:  [where('transportation', 'class', 'motorway')],
    rail:     [where('transportation', 'class', 'rail', 'transit')],
    boundary: [{ layer: 'boundary', filter: ['==', ['get', 'admin_level'], 2] }],
    'street-name':  [{ layer: 'transportation_name', filter: isLine }],
    'water-name':   [{ layer: 'water_name', filter: isNamed }, { layer: 'waterway', filter: isNamed }],
    town:           [where('place', 'class', 'city', 'town')],
    village:        [where('place', 'class', 'village', 'hamlet', 'isolated_dwelling')],
    quarter:        [where('place', 'class', 'suburb', 'quarter', 'neighbourhood')],
    'house-number': [{ layer: 'housenumber', filter: ['has', 'housenumber'] }],
  },
};

/** All schemas. The server accepts tiles of these, so `tile-file.ts` lists their layers of streets too. */
export const SCHEMAS = [PROTOMAPS, OPENMAPTILES];

/** The schema of tiles with these layers; null if it is another one. */
export function schemaOf(layers: readonly string[]): Schema | null {
  return SCHEMAS.find(({ streets }) => layers.includes(streets)) ?? null;
}
