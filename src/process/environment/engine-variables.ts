import { z } from 'zod';

/** The environment variables of the engines that the server starts itself. */
export const ENGINE_VARIABLES = {
  MONGOD_BIN: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Path of the mongod that the server starts if MONGO_URL is not set'),
  REDIS_BIN: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Path of the redis-server that the server starts if REDIS_URL is not set'),
  STREETS_FILE: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'OpenStreetMap extract of your city, such as city.osm.pbf. The server then starts its own Valhalla, which finds ways ' +
        'along streets, unless TRAVEL_ROUTER_URL names a routing server. Processes with the same DATA_DIR share the ' +
        'Valhalla of the first one, so each machine and each container needs a DATA_DIR of its own. Pages that show such ' +
        'ways must name "© OpenStreetMap contributors"',
    ),
  VALHALLA_BIN: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Path of the valhalla_service that the server starts for STREETS_FILE; valhalla_build_tiles must be beside it',
    ),
};
