import { join } from 'node:path';

/** Memory for tiles that each thread of the service may use, in bytes. A city of a million people has about 100 MB. */
const TILE_CACHE_BYTES = 128 * 1024 * 1024;
/** Time in which the service drops a request that nobody waits for any more, in seconds. */
const TIMEOUT_S = 5;

/** The defaults of Valhalla's own generator for the programs that build tiles, without the files that we do not have. */
const BUILDING = {
  id_table_size: 1_300_000_000,
  max_cache_size: 1_000_000_000,
  hierarchy: true,
  shortcuts: true,
  include_platforms: false,
  include_driveways: true,
  include_construction: false,
  include_bicycle: true,
  include_pedestrian: true,
  include_driving: true,
  import_bike_share_stations: false,
  keep_all_osm_node_ids: false,
  keep_osm_node_ids: false,
  reclassify_links: true,
  pedestrian_areas: false,
  data_processing: {
    infer_internal_intersections: true,
    infer_turn_channels: true,
    apply_country_overrides: true,
    use_admin_db: true,
    use_direction_on_ways: false,
    allow_alt_name: false,
    use_urban_tag: false,
    use_rest_area: false,
    scan_tar: false,
  },
};

/** Limits of what we ask for. Valhalla counts metres of straight lines. */
const limitsOf = (longestM: number) => ({
  max_distance: longestM,
  max_locations: 50,
  max_matrix_distance: longestM,
  max_matrix_location_pairs: 2500,
});

/** Limits of what we never ask for. The service does not start without them. */
const UNUSED_LIMITS = {
  pedestrian: { ...limitsOf(1), min_multimodal_walking_distance: 1, max_multimodal_walking_distance: 10_000 },
  status: { allow_verbose: false },
  skadi: { max_shape: 1, min_resample: 10 },
  isochrone: {
    max_contours: 1,
    max_time_contour: 1,
    max_distance: 1,
    max_locations: 1,
    max_distance_contour: 1,
  },
  trace: {
    max_distance: 1,
    max_gps_accuracy: 1,
    max_search_radius: 1,
    max_shape: 1,
    max_alternates: 0,
    max_alternates_shape: 1,
  },
  centroid: { max_distance: 1, max_locations: 1 },
  max_exclude_locations: 0,
  max_reachability: 100,
  max_radius: 200,
  max_timedep_distance: 0,
  max_alternates: 0,
  max_exclude_polygons_length: 0,
};

/** How a place is put onto a street: Valhalla's defaults, and three values of its maps, which are off. */
const SNAPPING = {
  radius: 0,
  minimum_reachability: 50,
  search_cutoff: 35_000,
  node_snap_tolerance: 5,
  street_side_tolerance: 5,
  street_side_max_distance: 1000,
  heading_tolerance: 60,
  mvt_cache_min_zoom: 11,
  mvt_max_age: '0',
  mvt_min_zoom_road_class: [7, 7, 8, 11, 11, 12, 13, 14],
};

/** The matching of tracks to streets, which is off. The service does not start without these values. */
const MAP_MATCHING = {
  mode: 'auto',
  customizable: [],
  default: {
    sigma_z: 4.07,
    gps_accuracy: 5,
    beta: 3,
    max_route_distance_factor: 5,
    max_route_time_factor: 5,
    max_search_radius: 100,
    breakage_distance: 2000,
    interpolation_distance: 10,
    search_radius: 50,
    geometry: false,
    route: true,
    turn_penalty_factor: 0,
  },
  grid: { size: 500, cache_size: 1000 },
};

/** The configuration with which tiles are built into a folder. */
export function buildConfig(tilesDir: string): object {
  return { logging: { type: 'std_out', color: false }, mjolnir: { ...BUILDING, tile_dir: tilesDir } };
}

/**
 * Where a service reads its tiles, its port on this machine, the folder of its own sockets, and the longest way that it looks
 * for, metres.
 */
export type ServiceOptions = {
  readonly tilesDir: string;
  readonly port: number;
  readonly socketDir: string;
  readonly longestM: number;
};

/** The configuration of the service. Every address in it belongs to this service alone. */
export function serviceConfig({ tilesDir, port, socketDir, longestM }: ServiceOptions): object {
  const costings = ['auto', 'motor_scooter', 'motorcycle', 'bicycle'];
  const socket = (name: string): string => `ipc://${join(socketDir, name)}`;
  return {
    logging: { type: '' },
    // NOTE: with `global_synchronized_cache` and `use_lru_mem_cache`, Valhalla 3.9.1 crashes, and builds tiles with holes.
    mjolnir: { tile_dir: tilesDir, max_cache_size: TILE_CACHE_BYTES },
    loki: {
      actions: ['route', 'sources_to_targets', 'status'],
      use_connectivity: true,
      service_defaults: SNAPPING,
      service: { proxy: socket('loki') },
    },
    thor: { service: { proxy: socket('thor') } },
    odin: { service: { proxy: socket('odin') }, markup_formatter: { markup_enabled: false } },
    meili: { ...MAP_MATCHING, service: { proxy: socket('meili') } },
    httpd: {
      service: {
        listen: `tcp://127.0.0.1:${port}`,
        loopback: socket('loopback'),
        interrupt: socket('interrupt'),
        drain_seconds: 0,
        shutdown_seconds: 1,
        timeout_seconds: TIMEOUT_S,
      },
    },
    service_limits: {
      ...Object.fromEntries(costings.map((name) => [name, limitsOf(longestM)])),
      ...UNUSED_LIMITS,
    },
  };
}
