import { z } from 'zod';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//iu;
const WEB = /^https?:$/u;
/** The hosts that a security policy can name. Any other character would mean something else in it. */
const HOST = /^[a-z0-9.-]+$/u;

/** The environment variables of the map that the pages draw, and of the streets of the demo. */
export const MAP_VARIABLES = {
  MAP_TILES: z
    .string()
    .min(1)
    .superRefine((text, check) => {
      if (isUrl(text)) checkMapUrl(text, check);
    })
    .exactOptional()
    .describe(
      'Map of the pages: the path or URL of a .pmtiles file with vector tiles in the layers of Protomaps or OpenMapTiles. ' +
        '`npm run streets -- city.osm.pbf` makes such a file. The server serves a file itself, so give each process the same ' +
        'one. A server at a URL must answer requests for ranges, and allow pages of BASE_URL to read them (CORS). Without it, ' +
        'the pages draw a grid',
    ),
  MAP_STYLE_URL: z
    .string()
    .superRefine(checkMapUrl)
    .exactOptional()
    .describe(
      'Map of the pages instead of MAP_TILES: the URL of a hosted MapLibre style. Recipients and staff load it and its tiles ' +
        'only from that host. That host sees their IP addresses',
    ),
  DEMO_STREETS: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether the demo has streets: the map in `examples/streets`, and a Valhalla on the extract beside it. They are for a ' +
        'server that names no streets and no map of its own (STREETS_FILE, TRAVEL_ROUTER_URL, MAP_TILES, MAP_STYLE_URL). In ' +
        'production there is no demo',
    ),
};

/** Says whether `MAP_TILES` is a URL and not the path of a file. */
export function isUrl(tiles: string): boolean {
  return SCHEME.test(tiles);
}

/** Checks the URL of a map, which gets into the pages and whose origin gets into their security policy. */
function checkMapUrl(text: string, check: z.RefinementCtx<string>): void {
  const url = URL.parse(text);
  if (url === null || !WEB.test(url.protocol)) check.addIssue('must be an http or https URL');
  else if (url.username !== '' || url.password !== '')
    check.addIssue('must not contain a user name or password, because everybody who opens a page can read it');
  else if (!HOST.test(url.hostname)) check.addIssue('must name one host with letters, digits, dots and hyphens only');
}

/** Both variables name the same thing. */
export function twoMaps(given: Readonly<Record<string, string>>): string[] {
  const isDouble = given['MAP_TILES'] !== undefined && given['MAP_STYLE_URL'] !== undefined;
  return isDouble ? ['MAP_TILES, MAP_STYLE_URL: set one of them, because the pages draw one map'] : [];
}
