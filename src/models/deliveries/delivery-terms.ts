import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { Address, Stop } from '../../domain/deliveries/stops/stop.ts';
import { digitsOf, isPhoneLike, splitWords } from '../../domain/search-words.ts';
import type { DeliveryFilter } from '../../ports/deliveries.ts';

/** How many last digits of a phone number are indexed. Searches with other numbers of digits use the next lower one. */
const TAILS = [8, 4] as const;
/** Most words of names and addresses that one delivery is found by. */
const MOST_WORDS = 64;

/** The fields that decide whether a search matches a delivery. */
export type Searched = Pick<Delivery, 'externalId' | 'orderId'> & {
  readonly dropOffs: readonly Pick<Stop, 'contact' | 'address'>[];
};

/**
 * The words under which an index finds a delivery: its external id, the id of its vendor order, last digits of its
 * recipients' phones, and the words of their names and addresses. Each word has a term for its mode and one for its vendor in that mode. So a vendor's
 * search does not read deliveries of others.
 */
export function termsOf(delivery: Delivery): string[] {
  const { vendorId, liveMode } = delivery;
  const phones = phonesOf(delivery).flatMap((digits) => TAILS.map((length) => phoneWord(digits.slice(-length))));
  const words = [...namesOf(delivery).map(nameWord), ...phones, ...wordsOf(delivery).map(textWord)];
  return [...new Set(words)].flatMap((word) => [term(null, liveMode, word), term(vendorId, liveMode, word)]);
}

/** A search: the terms to look up, and a check whether a found delivery matches. */
export type Search = {
  readonly terms: readonly string[];
  readonly isExact: boolean;
  readonly matches: (found: Searched) => boolean;
};

/**
 * Reads a search text: a whole external id or order id, the last four or more digits of a recipient's phone, or whole words of the
 * names and addresses of recipients. All words must be there. The longest word is looked up.
 */
export function readSearch(
  text: string,
  { vendorId, liveMode }: Pick<DeliveryFilter, 'vendorId' | 'liveMode'>,
): Search {
  const digits = digitsOf(text);
  const tail = isPhoneLike(text) ? TAILS.find((length) => length <= digits.length) : undefined;
  const wanted = splitWords(text);
  const [longest] = wanted.toSorted((a, b) => b.length - a.length);
  const words = [
    nameWord(text),
    ...(tail === undefined ? [] : [phoneWord(digits.slice(-tail))]),
    ...(longest === undefined ? [] : [textWord(longest)]),
  ];
  return {
    terms: termsFor(words, {
      ...(vendorId === undefined ? {} : { vendorId }),
      ...(liveMode === undefined ? {} : { liveMode }),
    }),
    isExact: (tail === undefined || tail === digits.length) && wanted.length < 2,
    matches: (found) =>
      namesOf(found).includes(text) ||
      (tail !== undefined && phonesOf(found).some((phone) => phone.endsWith(digits))) ||
      (wanted.length > 0 && hasAll(wordsOf(found), wanted)),
  };
}

/** The terms of a delivery with exactly this external id or order id. */
export function termsOfName(name: string, filter: Pick<DeliveryFilter, 'vendorId' | 'liveMode'>): string[] {
  return termsFor([nameWord(name)], filter);
}

function termsFor(words: readonly string[], { vendorId, liveMode }: Pick<DeliveryFilter, 'vendorId' | 'liveMode'>) {
  const modes = liveMode === undefined ? [true, false] : [liveMode];
  return modes.flatMap((mode) => words.map((word) => term(vendorId ?? null, mode, word)));
}

function hasAll(words: readonly string[], wanted: readonly string[]): boolean {
  const set = new Set(words);
  return wanted.every((word) => set.has(word));
}

/** The words of the recipients' names and addresses, stop by stop. */
function wordsOf({ dropOffs }: Searched): string[] {
  const texts = dropOffs.flatMap(({ contact, address }) => [contact?.name ?? '', ...linesOf(address ?? null)]);
  return [...new Set(texts.flatMap(splitWords))].slice(0, MOST_WORDS);
}

function linesOf(address: Address | null): string[] {
  if (address === null) return [];
  return typeof address === 'string' ? [address] : Object.values(address);
}

/** The ids that the vendor gave: of the delivery itself, and of the order that it was dispatched for. */
function namesOf({ externalId, orderId }: Pick<Searched, 'externalId' | 'orderId'>): string[] {
  return [externalId, orderId].flatMap((name) => name ?? []);
}

function nameWord(name: string): string {
  return `id:${name}`;
}

function phoneWord(tail: string): string {
  return `tel:${tail}`;
}

function textWord(word: string): string {
  return `word:${word}`;
}

function term(vendorId: Delivery['vendorId'] | null, liveMode: boolean, word: string): string {
  const mode = liveMode ? 'live' : 'test';
  return vendorId === null ? `${mode}:${word}` : `${vendorId}:${mode}:${word}`;
}

/** The digits of the recipients' phones. */
function phonesOf({ dropOffs }: Searched): string[] {
  return dropOffs.flatMap(({ contact }) => (contact == null ? [] : [digitsOf(contact.phone)]));
}
