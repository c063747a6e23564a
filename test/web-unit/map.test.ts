import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createExpression, isExpression, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import type { ExpressionSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { STREET_LAYERS } from '../../src/process/map/tile-file.ts';
import { contrast } from '../../web/shared/accent.ts';
import { creditOf, nameIn } from '../../web/shared/map/names.ts';
import { SCHEMAS, schemaOf, type Schema } from '../../web/shared/map/schemas.ts';
import { lowestName, STREETS, streetLayers } from '../../web/shared/map/style.ts';
import { tilesIn } from '../embedded/map/shipped-tiles.ts';

const TOKENS = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'web', 'tokens.css'), 'utf8');
const [LIGHT = '', DARK = ''] = TOKENS.split('prefers-color-scheme: dark');
const OPENMAPTILES = path.resolve(import.meta.dirname, '..', 'web', 'vaduz-openmaptiles.pmtiles');
const NOTICE = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';

type Layer = { readonly id: string; readonly fields: object };

/** Reads a token from one half of the sheet, as the browser would. */
function colourIn(sheet: string): (token: string) => string {
  return (token) => new RegExp(`${token}: (#[0-9a-f]{6});`, 'u').exec(sheet)?.[1] ?? `no ${token}`;
}

function known(layer: string): Schema {
  const schema = schemaOf([layer]);
  if (schema === null) throw new Error(`no schema has ${layer}`);
  return schema;
}

function nameOf(properties: Record<string, string>, language: string): unknown {
  const name = nameIn(language) as ExpressionSpecification;
  const { result, value } = createExpression(name, 'layers[0].layout.text-field');
  if (result !== 'success') throw new Error(JSON.stringify(value));
  return value.evaluate({ zoom: 14 }, { type: 'Point', properties });
}

test('[V60] the schema of tiles is known by their layers', () => {
  expect(known('roads').streets).toBe('roads');
  expect(known('transportation').streets).toBe('transportation');
  expect(schemaOf(['water', 'streets'])).toBeNull();
  expect(schemaOf([])).toBeNull();
});

test('[V60] the server accepts tiles of exactly the schemas that the pages draw', () => {
  expect(STREET_LAYERS).toEqual(SCHEMAS.map(({ streets }) => streets));
});

test('[V60] the style is valid for both schemas in both colour schemes, and draws every role', () => {
  for (const layer of ['roads', 'transportation']) {
    for (const sheet of [LIGHT, DARK]) {
      const layers = streetLayers(known(layer), 'de', colourIn(sheet));
      const source = { type: 'vector' as const, tiles: ['pmtiles://x/{z}/{x}/{y}'] };
      const style: StyleSpecification = { version: 8, sources: { [STREETS]: source }, layers };
      expect(validateStyleMin(style)).toEqual([]);
      expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length);
      const drawn = new Set(layers.map(({ id }) => id.replace(/(-edge)?-\d+$/u, '')));
      expect([...drawn].toSorted()).toEqual(Object.keys(known(layer).places).toSorted());
    }
  }
});

test('[V60] names are readable on everything that they lie on', () => {
  for (const sheet of [LIGHT, DARK]) {
    const colour = colourIn(sheet);
    for (const ink of ['--map-label', '--map-ink', '--map-water-label']) {
      expect([ink, contrast(colour(ink), colour('--map-label-halo')) >= 4.5]).toEqual([ink, true]);
    }
    for (const ground of ['--map-land', '--map-built', '--map-green', '--map-wood', '--map-road', '--map-major']) {
      expect([ground, contrast(colour('--map-label'), colour(ground)) >= 4.5]).toEqual([ground, true]);
    }
  }
});

test('[V61] a name is in the language of the reader, then in letters that they read, then as it is there', () => {
  const vienna = { name: 'Wien', 'name:en': 'Vienna', 'name:zh': '维也纳', 'name:pt-BR': 'Viena' };
  expect(nameOf(vienna, 'en-GB')).toBe('Vienna');
  expect(nameOf(vienna, 'zh-Hant-TW')).toBe('维也纳');
  expect(nameOf(vienna, 'pt-BR')).toBe('Viena');
  expect(nameOf(vienna, 'fi')).toBe('Wien');
  const athens = { name: 'Αθήνα', 'name:latin': 'Athína' };
  expect(nameOf(athens, 'de-AT')).toBe('Athína');
  expect(nameOf(athens, 'el')).toBe('Αθήνα');
  expect(isExpression(nameIn('en'))).toBe(true);
});

test('[V61] streets of tiles that have only names in Latin letters have a name for every reader', async () => {
  const { vector_layers: layers } = (await tilesIn(OPENMAPTILES).getMetadata()) as { vector_layers: Layer[] };
  const streets = layers.find(({ id }) => id === 'transportation_name');
  const names = Object.keys(streets?.fields ?? {}).filter((field) => field.startsWith('name'));
  expect(names).toEqual(['name:latin']);
  for (const language of ['de', 'el', 'zh']) {
    expect(nameOf({ 'name:latin': 'Städtle' }, language)).toBe('Städtle');
  }
});

test('[V62] OpenStreetMap is named, also beside others and for tiles that forget it', () => {
  expect(creditOf(undefined)).toBe(NOTICE);
  expect(creditOf(' ')).toBe(NOTICE);
  expect(creditOf('© OpenMapTiles')).toBe(`© OpenMapTiles ${NOTICE}`);
  const both = '© OpenMapTiles © OpenStreetMap contributors';
  expect(creditOf(both)).toBe(both);
});

test('[V78] the layers of names are those above everything else in a style', () => {
  const layers = streetLayers(known('roads'), 'en', colourIn(LIGHT));
  const at = layers.findIndex(({ id }) => id === lowestName(layers));
  expect(at).toBeGreaterThan(0);
  expect(layers.slice(at).every(({ type }) => type === 'symbol')).toBe(true);
  expect(layers[at - 1]?.type).not.toBe('symbol');
  const sign = { id: 'signs', type: 'symbol', source: STREETS } as const;
  expect(lowestName([sign, ...layers])).toBe(layers[at]?.id);
  expect(lowestName(layers.slice(0, at))).toBeUndefined();
});
