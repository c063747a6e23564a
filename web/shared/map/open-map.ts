import { addProtocol, type StyleSpecification, type VectorSourceSpecification } from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';
import { creditOf } from './names.ts';
import { schemaOf, type Schema } from './schemas.ts';

/** The map that the server gives its pages: streets from tiles, a style of another host, or nothing but the grid. */
export type Given =
  | { readonly kind: 'tiles'; readonly source: VectorSourceSpecification; readonly schema: Schema }
  | { readonly kind: 'style'; readonly style: StyleSpecification }
  | { readonly kind: 'grid' };

/** A map that has not come by then is left out. The page needs its couriers and stops more. */
const PATIENCE_MS = 5000;

const protocol = new Protocol();
addProtocol('pmtiles', protocol.tile);

/** Opens the map that the page names. Without one, or if it cannot be read, the page has the grid. */
export async function openGiven(): Promise<Given> {
  const told = document.querySelector('#map-source')?.textContent ?? null;
  if (told === null) return { kind: 'grid' };
  const source = JSON.parse(told) as { readonly tiles: string } | { readonly style: string };
  const patience = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The map is too slow.')), PATIENCE_MS);
  });
  try {
    return await Promise.race(['tiles' in source ? openTiles(source.tiles) : openStyle(source.style), patience]);
  } catch {
    // The host is away, or it has no map. The page needs its couriers and stops more than its map.
    return { kind: 'grid' };
  }
}

async function openTiles(address: string): Promise<Given> {
  const { href } = new URL(address, location.href);
  const archive = protocol.get(href) ?? new PMTiles(href);
  protocol.add(archive);
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = await archive.getHeader();
  const about = (await archive.getMetadata()) as { vector_layers?: { id: string }[]; attribution?: unknown };
  const schema = schemaOf((about.vector_layers ?? []).map(({ id }) => id));
  if (schema === null) throw new Error('The tiles have neither the layers of Protomaps nor those of OpenMapTiles.');
  const source: VectorSourceSpecification = {
    type: 'vector',
    tiles: [`pmtiles://${href}/{z}/{x}/{y}`],
    minzoom: minZoom,
    maxzoom: maxZoom,
    bounds: [minLon, minLat, maxLon, maxLat],
    attribution: creditOf(about.attribution),
  };
  return { kind: 'tiles', source, schema };
}

async function openStyle(url: string): Promise<Given> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The style answered ${answer.status}.`);
  const style = (await answer.json()) as Partial<StyleSpecification>;
  if (style.version !== 8 || !Array.isArray(style.layers)) throw new Error('The answer is not a MapLibre style.');
  return { kind: 'style', style: style as StyleSpecification };
}
