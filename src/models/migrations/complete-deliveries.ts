import { deliveriesIn, deliveryRow, findDeliveries } from '../deliveries/delivery-rows.ts';
import { isOldWord } from '../../domain/search-words.ts';
import { mendCouriers } from './index-couriers.ts';
import type { AnyRow, Migration, Tools, Walk, Write } from './migration.ts';

/** Fields that a delivery of version 0 lacks. */
const ADDED = ['terms', 'dues', 'links', 'searchLimitMs'] as const;
/** Fields that only version 0 has: one link for all drop-offs, and the digits of phones backwards. */
const REMOVED = ['link', 'phoneTails'] as const;

/**
 * Deliveries now have the words of searches and their due times (ADR 21). They also have a link for each drop-off (ADR
 * 28) and the limit of their search. For old rows, reads derive all of these but the words. Searches by phone and
 * external id find an old delivery only after this migration.
 */
export const completeDeliveries: Migration = {
  name: 'complete_deliveries',
  replaces: [
    { name: 'deliveries', index: 'link.tokenHash_1' },
    { name: 'deliveries', index: 'vendorId_1_liveMode_1_times.updatedAt_-1__id_-1' },
  ],
  walks: [{ name: 'deliveries', fields: [...ADDED, ...REMOVED], mend }],
  drops: [
    { name: 'deliveries', index: 'externalId_1' },
    { name: 'deliveries', index: 'phoneTails_1' },
    { name: 'deliveries', index: 'searchCountsFromAt_1__id_1' },
    { name: 'deliveries', index: 'region_1_liveMode_1_searchCountsFromAt_1__id_1' },
    { name: 'deliveries', index: 'times.createdAt_-1__id_-1' },
    { name: 'deliveries', index: 'vendorId_1_liveMode_1_times.createdAt_-1__id_-1' },
  ],
};

async function mend(rows: readonly AnyRow[], { mongo, settings }: Tools): Promise<Write[]> {
  const old = rows.filter(isOld).map(({ _id }) => _id);
  if (old.length === 0) return [];
  const found = await findDeliveries(deliveriesIn(mongo), { _id: { $in: old } }).toArray();
  return found.map((delivery) => {
    const { _id, version, terms, dues, links, searchLimitMs } = deliveryRow(delivery, settings);
    // A worker that checks a delivery moves its due time without a new version.
    const added = { ...literally({ terms, links, searchLimitMs }), dues: { $ifNull: ['$dues', { $literal: dues }] } };
    return { updateOne: { filter: { _id, version }, update: [{ $set: added }, { $unset: [...REMOVED] }] } };
  });
}

function isOld(row: AnyRow): boolean {
  return ADDED.some((field) => row[field] === undefined) || REMOVED.some((field) => row[field] !== undefined);
}

/** Wraps the fields so that the database does not read their values as expressions. */
function literally(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}

/**
 * Searches now find words of the recipients' names and addresses. Until a row is filled, only its external id and phones
 * find it. Few deliveries have no such word; they are read again in each pass and stay as they are.
 */
export const indexWords: Migration = {
  name: 'index_words',
  replaces: [],
  walks: [{ name: 'deliveries', fields: ['terms'], mend: termsUnless(haveWords) }],
  drops: [],
};

/** Searches and lists now find deliveries by the id of their vendor order. Until a row is filled, they do not find it. */
export const indexOrders: Migration = {
  name: 'index_orders',
  replaces: [],
  walks: [{ name: 'deliveries', fields: ['terms', 'orderId'], mend: termsUnless(haveOrder) }],
  drops: [],
};

/**
 * Words of searches no longer have letters such as ß, which not everybody can type. Until a row is filled, no search finds
 * it by such a word.
 */
export const spellWords: Migration = {
  name: 'spell_words',
  replaces: [],
  walks: [
    { name: 'deliveries', fields: ['terms'], mend: termsUnless(areSpelled) },
    { name: 'couriers', fields: ['terms', 'name', 'phone'], mend: mendCouriers(areSpelled) },
  ],
  drops: [],
};

/** A row with the fields that searches rest on, of whichever release. */
type Searched = Readonly<Record<string, unknown>>;

/** Makes the terms of rows again that lack some. @param areNew says whether the terms of a row are of the new kind */
function termsUnless(areNew: (row: Searched) => boolean): Walk['mend'] {
  return async (rows, { mongo, settings }) => {
    const old = rows.filter((row) => !areNew(row)).map(({ _id }) => _id);
    if (old.length === 0) return [];
    const found = await findDeliveries(deliveriesIn(mongo), { _id: { $in: old } }).toArray();
    return found.flatMap((delivery) => {
      const row = deliveryRow(delivery, settings);
      const { _id, version, terms } = row;
      // Each write of a delivery raises its version and makes its terms again.
      return areNew(row) ? [{ updateOne: { filter: { _id, version }, update: { $set: { terms } } } }] : [];
    });
  };
}

/** Says whether terms were made by a version that indexed words of names and addresses. */
function haveWords({ terms }: Searched): boolean {
  return haveTerm(terms, (term) => term.includes(':word:'));
}

/** Says whether terms name the vendor order of their delivery, if it has one. */
function haveOrder({ terms, orderId }: Searched): boolean {
  return typeof orderId !== 'string' || haveTerm(terms, (term) => term.endsWith(`:id:${orderId}`));
}

/** Says whether all words of the terms are spelled as searches spell them. */
function areSpelled({ terms }: Searched): boolean {
  return !haveTerm(terms, (term) => term.includes('word:') && isOldWord(term));
}

function haveTerm(terms: unknown, isWanted: (term: string) => boolean): boolean {
  return Array.isArray(terms) && terms.some((one) => typeof one === 'string' && isWanted(one));
}
