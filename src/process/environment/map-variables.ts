import { z } from 'zod';

/** The environment variables of the map that the pages draw. */
export const MAP_VARIABLES = {
  MAP_TILES: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Map of the pages: the path or URL of a .pmtiles file with vector tiles in the layers of Protomaps or OpenMapTiles. ' +
        '`npm run streets -- city.osm.pbf` makes such a file. The server serves a file itself, so give each process the same ' +
        'one. A server at a URL must answer requests for ranges, and allow pages of BASE_URL to read them (CORS). Without it, ' +
        'the pages draw a grid',
    ),
  MAP_STYLE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .exactOptional()
    .describe(
      'Map of the pages instead of MAP_TILES: the URL of a hosted MapLibre style. Recipients and staff load it and its tiles ' +
        'from that host, and from no other one. The host sees their addresses',
    ),
};

/** Both variables name the same thing. */
export function twoMaps(given: Readonly<Record<string, string>>): string[] {
  const isDouble = given['MAP_TILES'] !== undefined && given['MAP_STYLE_URL'] !== undefined;
  return isDouble ? ['MAP_TILES, MAP_STYLE_URL: set one of them, because the pages draw one map'] : [];
}
