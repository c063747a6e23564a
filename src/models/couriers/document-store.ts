import type { mongo as engine } from 'mongoose';
import {
  CLOSING_REASONS,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  OPEN_DOCUMENTS,
  type CourierDocument,
  type DocumentType,
} from '../../domain/couriers/document.ts';
import type { CourierId, DocumentId } from '../../domain/ids.ts';
import { isAny } from '../../engines/is-any.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { ENDING, endsOn } from '../../engines/retention.ts';
import { date, flag, id, maybe, number, omissible, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { LAST_CREATED_FIRST, markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import type { DocumentFilter, DocumentStore } from '../../ports/couriers.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import { storeEnds, storeEntries, storeWith } from '../store-entries.ts';
import { transactAlone } from '../transact-alone.ts';

export type DocumentRow = CourierDocument & {
  readonly _id: DocumentId;
  readonly dueAt: number | null;
  readonly endsOn?: Date;
};
type Rows = engine.Collection<DocumentRow>;

const BY_COURIER = { courierId: 1, createdAt: -1, _id: -1 } as const;
const BY_STATUS = { courierId: 1, status: 1, type: 1, expiresOn: -1 } as const;
const QUEUE = { status: 1, liveMode: 1, createdAt: 1, _id: 1 } as const;
const DUE = { dueAt: 1 } as const;

export const DOCUMENTS = shape<DocumentRow>({
  name: 'documents',
  holds: 'A document of a courier: identity document, licence or insurance. Its picture is a file.',
  kept: 'While it is open or approved. `FILES_DOCUMENT_MS` after it was rejected or has expired, and `FILES_ORPHAN_MS` after it was replaced unread.',
  shardKey: { _id: 'hashed' },
  indexes: [
    { key: BY_COURIER },
    { key: BY_STATUS },
    { key: QUEUE },
    { key: DUE, partialFilterExpression: { dueAt: { $gt: 0 } } },
    ENDING,
  ],
  fields: {
    _id: id('doc', 'The document’s id.'),
    id: id('doc', 'The document’s id.'),
    courierId: id('cou', 'The courier.'),
    liveMode: flag('False for a courier of test mode.'),
    type: oneOf(DOCUMENT_TYPES, 'The kind of document.'),
    status: oneOf(DOCUMENT_STATUSES, 'The state of its review.'),
    fileId: id('fil', 'The file with its picture.'),
    sealedNumber: maybe(text('The number of the document, encrypted; null if it was not given.')),
    expiresOn: text('The last day on which the document is valid, in UTC, YYYY-MM-DD.'),
    version: number('Rises by one with each change.'),
    createdAt: number('When the document was added, service time in ms.'),
    reviewerId: maybe(id('stf', 'The member of staff who took it into review or decided.')),
    decidedAt: maybe(number('When it was approved, rejected or replaced, service time in ms.')),
    reason: maybe(oneOf(CLOSING_REASONS, 'Why it was rejected.')),
    comment: maybe(text('A note of the reviewer to the courier.')),
    warnedAt: maybe(number('When the courier was warned that it expires soon, service time in ms.')),
    dueAt: maybe(number('When the server must look at it again, service time in ms; null: never.')),
    endsOn: omissible(date('When the database may delete the document; left out while it is open or approved.')),
  },
});

const AS_DOCUMENT = { projection: { _id: 0, dueAt: 0, endsOn: 0 } } as const;

/** Finds a document by id; null if it does not exist. */
export function findDocument(
  mongo: Mongo,
  documentId: DocumentId,
  options: engine.FindOptions = {},
): Promise<CourierDocument | null> {
  return mongo.collection(DOCUMENTS).findOne<CourierDocument>({ _id: documentId }, { ...AS_DOCUMENT, ...options });
}

/** The name of the transactions that add documents of a courier. */
export function documentsOf(courierId: CourierId): string {
  return `documents:${courierId}`;
}

/** Stores the documents of couriers. */
export function createDocumentStore(mongo: Mongo, clock: Clock): DocumentStore {
  const rows = mongo.collection(DOCUMENTS);
  return {
    find: (documentId) => findDocument(mongo, documentId),
    add: (document, entry) =>
      // One at a time for each courier, so that they never have two open documents of a type.
      transactAlone(mongo, clock, documentsOf(document.courierId), async (session) => {
        if (!(await insert(rows, document, session))) return;
        // In the same transaction, so that the file of a try that adds nothing ends as an unused one.
        await storeEnds(mongo, [{ id: document.fileId, endsAt: null }], { session });
        if (entry !== null) await storeEntries(mongo, [entry], { session });
      }),
    replace: (next, dueAt, entry) =>
      storeWith(mongo, clock, entry, async (within) => {
        const row = { _id: next.id, ...next, dueAt };
        const { matchedCount } = await rows.replaceOne({ _id: next.id, version: next.version - 1 }, row, within);
        return matchedCount > 0;
      }),
    putOff: async ({ id: _id, version }, { dueAt, keptMs }) => {
      const ending = keptMs === undefined ? {} : { endsOn: endsOn(clock, keptMs) };
      const { matchedCount } = await rows.updateOne({ _id, version }, { $set: { dueAt, ...ending } });
      return matchedCount > 0;
    },
    markWarned: async ({ id: _id, version }, at) => {
      await rows.updateOne({ _id, version }, { $set: { warnedAt: at } });
    },
    listOf: (courierId, page) => listOf(rows, courierId, page),
    listApproved: async (courierId) => {
      const found = await Promise.all(DOCUMENT_TYPES.map((type) => findApproved(rows, courierId, type)));
      return found.filter((document) => document !== null);
    },
    countSince: (courierId, since, most) =>
      rows.countDocuments({ courierId, createdAt: { $gt: since } }, { limit: most, hint: BY_COURIER }),
    listQueue: (filter, page) => listQueue(rows, filter, page),
    listDue: async (before, limit) => {
      const isDue = { dueAt: { $gt: 0, $lte: before } };
      if (!(await isAny(mongo, clock, DOCUMENTS, isDue))) return [];
      const due = rows.find<CourierDocument>(isDue, { ...AS_DOCUMENT, hint: DUE });
      return due.sort(DUE).limit(limit).toArray();
    },
  };
}

/** Finds the approved document of the type whose last day is the latest. */
function findApproved(rows: Rows, courierId: CourierId, type: DocumentType): Promise<CourierDocument | null> {
  const last = { ...AS_DOCUMENT, sort: { expiresOn: -1 }, hint: BY_STATUS } as const;
  return rows.findOne<CourierDocument>({ courierId, status: 'approved', type }, last);
}

/** Returns false if an earlier try has stored the document. */
async function insert(rows: Rows, document: CourierDocument, session: engine.ClientSession): Promise<boolean> {
  const { id: _id, courierId, type, createdAt } = document;
  if ((await rows.findOne({ _id }, { session, projection: { _id: 1 } })) !== null) return false;
  const replaced = { status: 'rejected', reason: 'replaced', decidedAt: createdAt, dueAt: createdAt } as const;
  const open = { courierId, type, status: { $in: [...OPEN_DOCUMENTS] } };
  await rows.updateMany(open, { $set: replaced, $inc: { version: 1 } }, { session, hint: BY_STATUS });
  await rows.insertOne({ _id, ...document, dueAt: createdAt }, { session });
  return true;
}

async function listOf(
  rows: Rows,
  courierId: CourierDocument['courierId'],
  { limit, after }: PageRequest,
): Promise<Page<CourierDocument>> {
  const found = await rows
    .find<CourierDocument>({ courierId, ...rowsAfter(after, LAST_CREATED_FIRST) }, { ...AS_DOCUMENT, hint: BY_COURIER })
    .sort(LAST_CREATED_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(found, limit, markOfCreated);
}

async function listQueue(
  rows: Rows,
  { statuses, liveMode }: DocumentFilter,
  { limit, after }: PageRequest,
): Promise<Page<CourierDocument>> {
  const order = { createdAt: 1, _id: 1 } as const;
  // With both modes named, the database merges short ranges of the index instead of sorting.
  const modes = { $in: liveMode === undefined ? [true, false] : [liveMode] };
  const found = await rows
    .find<CourierDocument>(
      { status: { $in: [...statuses] }, liveMode: modes, ...rowsAfter(after, order) },
      { ...AS_DOCUMENT, hint: QUEUE },
    )
    .sort(order)
    .limit(limit + 1)
    .toArray();
  return pageOf(found, limit, markOfCreated);
}
