import type { ExpressionSpecification } from 'maplibre-gl';

/**
 * The name of a place in the language of the reader. If the data has none, it is the local name, or the one in Latin letters
 * for a reader of a language with such letters.
 * @param language a BCP 47 tag, as browsers have it
 */
export function nameIn(language: string): ExpressionSpecification {
  const locale = new Intl.Locale(language);
  const tags = [...new Set([language, locale.baseName, locale.language])];
  // Some tiles have no name but the one in Latin letters.
  const others = locale.maximize().script === 'Latn' ? ['name:latin', 'name'] : ['name', 'name:latin'];
  const names = [...tags.map((tag) => `name:${tag}`), ...others];
  return ['coalesce', ...names.map((name): ExpressionSpecification => ['get', name])];
}

const NOTICE = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';

/** The sources that the map names. Tiles whose description forgets OpenStreetMap are of its data too. */
export function creditOf(attribution: unknown): string {
  if (typeof attribution !== 'string' || attribution.trim() === '') return NOTICE;
  return /openstreetmap/iu.test(attribution) ? attribution : `${attribution} ${NOTICE}`;
}
