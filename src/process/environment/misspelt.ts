import { closest, distance } from 'fastest-levenshtein';

/** A swap of two letters is two edits. */
const MOST_EDITS = 2;
/** A shorter name is similar to too many others. */
const LEAST_LETTERS = 8;

/**
 * Reports environment variables that look like misspelled settings. Only the most similar setting counts, so that a
 * setting that is spelled correctly is not taken for its neighbour.
 */
export function misspellings(given: readonly string[], settings: readonly string[]): string[] {
  const known = new Set(settings);
  const guessable = settings.filter((name) => name.length >= LEAST_LETTERS);
  return given
    .filter((name) => !known.has(name))
    .map((name) => ({ name, nearest: closest(name, guessable) }))
    .filter(({ name, nearest }) => distance(name, nearest) <= MOST_EDITS && !given.includes(nearest))
    .map(({ name, nearest }) => `${name} is not a setting. Did you mean ${nearest}?`);
}
