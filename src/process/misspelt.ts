import { closest, distance } from 'fastest-levenshtein';

/** Two letters swapped are two edits. */
const MOST_EDITS = 2;
/** A shorter name lies so near to others that it says nothing. */
const LEAST_LETTERS = 8;

/**
 * Tells of variables that are no setting and look like one that is not given: who set them wanted something that would
 * not happen. Only the nearest setting counts, so that one given rightly is not taken for its neighbour.
 */
export function misspellings(given: readonly string[], settings: readonly string[]): string[] {
  const known = new Set(settings);
  const guessable = settings.filter((name) => name.length >= LEAST_LETTERS);
  return given
    .filter((name) => !known.has(name))
    .map((name) => ({ name, nearest: closest(name, guessable) }))
    .filter(({ name, nearest }) => distance(name, nearest) <= MOST_EDITS && !given.includes(nearest))
    .map(({ name, nearest }) => `${name} is not a setting: did you mean ${nearest}?`);
}
