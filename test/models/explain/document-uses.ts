import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from '../../../src/domain/couriers/document.ts';
import { newId, type CourierId } from '../../../src/domain/ids.ts';
import type { DocumentStore } from '../../../src/ports/couriers.ts';
import { NOON } from '../../builders.ts';
import { aDocument } from '../couriers/a-document.ts';
import { turnPages, type Calls } from './calls.ts';
import { anEntry } from '../audit/an-entry.ts';

const LIMIT = 20;
/** A courier with many documents, open and approved. */
const SENDER = newId('cou');

/** A row of the collection, by its number. */
export function documentRow(at: number) {
  const document = aDocument({
    id: `doc_${at}`,
    courierId: [0, 7].includes(at % 200) ? SENDER : newId('cou'),
    liveMode: at % 5 !== 0,
    type: DOCUMENT_TYPES[at % 3] ?? 'id',
    status: DOCUMENT_STATUSES[at % 40] ?? 'approved',
    createdAt: NOON + at,
    expiresOn: `${2030 + (at % 60)}-01-31`,
  });
  return { _id: document.id, ...document, dueAt: at % 40 === 0 ? NOON + at : null };
}

/** Calls of every method of the store. */
export function documentCalls(documents: DocumentStore, courierId: CourierId, now: number): Calls<DocumentStore> {
  const known = aDocument({ id: 'doc_7' });
  return {
    find: () => documents.find('doc_7'),
    add: async () => {
      for (const id of [courierId, SENDER]) await documents.add(aDocument({ courierId: id }), anEntry());
    },
    replace: () => documents.replace({ ...known, version: 2 }, now, anEntry()),
    putOff: () => documents.putOff(known, { dueAt: null }),
    markWarned: () => documents.markWarned(known, now),
    listOf: async () => {
      for (const id of [courierId, SENDER]) {
        await turnPages((after) => documents.listOf(id, { limit: LIMIT, after }));
      }
    },
    listApproved: () => documents.listApproved(SENDER),
    countSince: () => documents.countSince(SENDER, NOON, 20),
    listQueue: async () => {
      for (const mode of [{}, { liveMode: true }, { liveMode: false }]) {
        for (const statuses of [['pending', 'in_review'], ['approved'], ['expired']] as const) {
          await turnPages((after) => documents.listQueue({ ...mode, statuses }, { limit: LIMIT, after }));
        }
      }
    },
    listDue: async () => {
      for (const before of [NOON + 1_000_000_000, 1]) await documents.listDue(before, LIMIT);
    },
  };
}
