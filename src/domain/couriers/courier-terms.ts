import type { Courier } from './courier.ts';
import { digitsOf, isPhoneLike, splitWords } from '../search-words.ts';

/** How many last digits of a phone are indexed, longest first. */
const TAILS = [8, 4] as const;

type Searched = Pick<Courier, 'name' | 'phone'>;

/** The words under which an index finds a courier: those of their name, and the last digits of their phone. */
export function termsOfCourier({ name, phone }: Searched): string[] {
  const digits = digitsOf(phone);
  const tails = TAILS.map((length) => `tel:${digits.slice(-length)}`);
  return [...new Set([...splitWords(name).map(asWord), ...tails])];
}

/** A search: the term to look up, and a check whether a found courier matches. */
export type CourierSearch = { readonly terms: readonly string[]; readonly matches: (courier: Searched) => boolean };

/** Reads a search text: whole words of a name, or the last four or more digits of a phone. The longest word is looked up. */
export function readCourierSearch(text: string): CourierSearch {
  const digits = digitsOf(text);
  const tail = isPhoneLike(text) ? TAILS.find((length) => length <= digits.length) : undefined;
  const wanted = splitWords(text);
  const [longest] = wanted.toSorted((a, b) => b.length - a.length);
  return {
    terms: [
      ...(tail === undefined ? [] : [`tel:${digits.slice(-tail)}`]),
      ...(longest === undefined ? [] : [asWord(longest)]),
    ],
    matches: ({ name, phone }) => {
      if (tail !== undefined && digitsOf(phone).endsWith(digits)) return true;
      const words = new Set(splitWords(name));
      return wanted.length > 0 && wanted.every((word) => words.has(word));
    },
  };
}

function asWord(word: string): string {
  return `word:${word}`;
}
