import path from 'node:path';
import type { Config } from '../../config.ts';
import { NO_MAP, pathOf, type PageMap } from '../../http/pages/page-map.ts';
import { isUrl } from '../environment/map-variables.ts';
import { openTileFile } from './tile-file.ts';

type Given = Pick<Config['around'], 'MAP_TILES' | 'MAP_STYLE_URL'>;

/**
 * The map that the settings name: a file of tiles, tiles at a URL, a hosted style, or none.
 * @throws StartError if a file cannot be used
 */
export async function openMap({ MAP_TILES: tiles, MAP_STYLE_URL: style }: Given): Promise<PageMap> {
  if (style !== undefined) return { source: { style }, origin: new URL(style).origin, file: null };
  if (tiles === undefined) return NO_MAP;
  if (isUrl(tiles)) return { source: { tiles }, origin: new URL(tiles).origin, file: null };
  const file = await openTileFile(path.resolve(tiles));
  return { source: { tiles: pathOf(file) }, origin: null, file };
}
