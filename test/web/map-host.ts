import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { PMTiles, type Source } from 'pmtiles';

/**
 * A square of Vaduz in the layers of OpenMapTiles, made with the example configuration of tilemaker.
 * © OpenMapTiles (CC BY 4.0) © OpenStreetMap contributors (ODbL 1.0, as in examples/streets/NOTICE.md)
 */
const TILES = path.join(import.meta.dirname, 'vaduz-openmaptiles.pmtiles');

export type MapHost = { readonly url: string; readonly asked: string[]; close(): Promise<void> };

/** Another host that has tiles as a file and one by one, and a style for them. */
export async function startMapHost(): Promise<MapHost> {
  const content = readFileSync(TILES);
  const source: Source = {
    getKey: () => TILES,
    getBytes: async (offset, length) => ({ data: new Uint8Array(content.subarray(offset, offset + length)).buffer }),
  };
  const archive = new PMTiles(source);
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(url);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'range');
    const [, zoom, x, y] = /^\/(\d+)\/(\d+)\/(\d+)\.pbf$/u.exec(url) ?? [];
    const [, start, end] = /^bytes=(\d+)-(\d+)$/u.exec(headers.range ?? '') ?? [];
    if (url === '/style.json') {
      response.end(JSON.stringify(styleOf(String(headers.host))));
    } else if (zoom !== undefined) {
      void archive.getZxy(Number(zoom), Number(x), Number(y)).then((tile) => {
        response.end(tile === undefined ? undefined : Buffer.from(tile.data));
      });
    } else if (url === '/vaduz.pmtiles' && start !== undefined) {
      response.statusCode = 206;
      response.end(content.subarray(Number(start), Number(end) + 1));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://localhost:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function styleOf(host: string): object {
  const tiles = [`http://${host}/{z}/{x}/{y}.pbf`];
  const attribution = '© The Other Host © OpenStreetMap contributors';
  return {
    version: 8,
    sources: { vaduz: { type: 'vector', tiles, minzoom: 14, maxzoom: 14, attribution } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#ffe0f0' } },
      {
        id: 'houses',
        type: 'fill',
        source: 'vaduz',
        'source-layer': 'building',
        paint: { 'fill-color': '#aa00aa', 'fill-antialias': false },
      },
    ],
  };
}
