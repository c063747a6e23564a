import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../ports/deliveries.ts';

/** How many last digits of a phone number are indexed. Searches with other numbers of digits use the next lower one. */
const TAILS = [8, 4] as const;

/** The fields that decide whether a search matches a delivery. */
export type Searched = Pick<Delivery, 'externalId'> & {
  readonly dropOffs: readonly { readonly contact?: { readonly phone: string } | null }[];
};

/**
 * The words under which an index finds a delivery: its external id, and last digits of its recipients' phones. Each
 * word has a term for its mode and one for its vendor in that mode. So a vendor's search does not read deliveries of
 * others.
 */
export function termsOf(delivery: Delivery): string[] {
  const { vendorId, liveMode, externalId } = delivery;
  const phones = phonesOf(delivery).flatMap((digits) => TAILS.map((length) => phoneWord(digits.slice(-length))));
  const words = [...(externalId === null ? [] : [externalWord(externalId)]), ...phones];
  return [...new Set(words)].flatMap((word) => [term(null, liveMode, word), term(vendorId, liveMode, word)]);
}

/** A search: the terms to look up, and a check whether a found delivery matches. */
export type Search = {
  readonly terms: readonly string[];
  readonly isExact: boolean;
  readonly matches: (found: Searched) => boolean;
};

/** Reads a search text: a whole external id, or the last four or more digits of a recipient's phone. */
export function readSearch(text: string, { vendorId, liveMode }: DeliveryFilter): Search {
  const digits = digitsOf(text);
  const isPhone = /^\+?[\d\s().-]+$/.test(text);
  const tail = isPhone ? TAILS.find((length) => length <= digits.length) : undefined;
  const words = [externalWord(text), ...(tail === undefined ? [] : [phoneWord(digits.slice(-tail))])];
  const modes = liveMode === undefined ? [true, false] : [liveMode];
  return {
    terms: modes.flatMap((mode) => words.map((word) => term(vendorId ?? null, mode, word))),
    isExact: tail === undefined || tail === digits.length,
    matches: (found) =>
      found.externalId === text || (tail !== undefined && phonesOf(found).some((phone) => phone.endsWith(digits))),
  };
}

function externalWord(externalId: string): string {
  return `id:${externalId}`;
}

function phoneWord(tail: string): string {
  return `tel:${tail}`;
}

function term(vendorId: Delivery['vendorId'] | null, liveMode: boolean, word: string): string {
  const mode = liveMode ? 'live' : 'test';
  return vendorId === null ? `${mode}:${word}` : `${vendorId}:${mode}:${word}`;
}

/** The digits of the recipients' phones. */
function phonesOf({ dropOffs }: Searched): string[] {
  return dropOffs.flatMap(({ contact }) => (contact == null ? [] : [digitsOf(contact.phone)]));
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
