import { expect, test } from 'vitest';
import { SHIPPED_TILES, tilesIn } from './shipped-tiles.ts';

/** The tags and properties of streets, places and houses. */
const OF_MAP = /^(kind|kind_detail|name(:[a-z]{2,3})?|ref|is_(link|bridge|tunnel)|addr_housenumber|population)$/u;
/** The fields that OpenStreetMap keeps about the people who mapped it. */
const OF_MAPPERS = /\b(uid|user|changeset|timestamp|created_by|source:name)\b/u;

const tiles = tilesIn(SHIPPED_TILES);

test('[E32] the shipped tiles name OpenStreetMap as their source', async () => {
  const about = (await tiles.getMetadata()) as { attribution: string };
  expect(about.attribution).toBe('<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>');
});

test('[E32] the shipped tiles have no data about the people who mapped them', async () => {
  const { vector_layers: layers } = (await tiles.getMetadata()) as { vector_layers: { id: string; fields: object }[] };
  const fields = layers.flatMap((layer) => Object.keys(layer.fields));
  expect(fields.filter((field) => !OF_MAP.test(field))).toEqual([]);
  const { minZoom, maxZoom, numAddressedTiles, ...bounds } = await tiles.getHeader();
  let read = 0;
  for (let zoom = minZoom; zoom <= maxZoom; zoom += 1) {
    const [west, north] = tileAt(bounds.minLon, bounds.maxLat, zoom);
    const [east, south] = tileAt(bounds.maxLon, bounds.minLat, zoom);
    for (let x = west; x <= east; x += 1) {
      for (let y = north; y <= south; y += 1) {
        const tile = await tiles.getZxy(zoom, x, y);
        if (tile === undefined) continue;
        read += 1;
        expect(Buffer.from(tile.data).toString('latin1')).not.toMatch(OF_MAPPERS);
      }
    }
  }
  expect(read).toBe(numAddressedTiles);
});

/** The tile with this place: https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames. */
function tileAt(lng: number, lat: number, zoom: number): readonly [x: number, y: number] {
  const north = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return [Math.floor(((lng + 180) / 360) * 2 ** zoom), Math.floor(((1 - north) / 2) * 2 ** zoom)];
}
