import type { CourierId, DocumentId, FileId, StaffId } from '../ids.ts';
import { Refusal } from '../refusals/refusals.ts';
import type { VehicleType } from './courier.ts';

export const DOCUMENT_TYPES = ['id', 'license', 'vehicle_insurance'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/**
 * The documents that a courier must have for each vehicle. Riding a bicycle needs neither a licence nor an insurance;
 * everything with a motor needs both.
 */
export const REQUIRED_DOCUMENTS: Readonly<Record<VehicleType, readonly DocumentType[]>> = {
  bicycle: ['id'],
  scooter: DOCUMENT_TYPES,
  motorcycle: DOCUMENT_TYPES,
  car: DOCUMENT_TYPES,
  van: DOCUMENT_TYPES,
};

export const DOCUMENT_STATUSES = ['pending', 'in_review', 'approved', 'rejected', 'expired'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** The documents that wait for a decision. */
export const OPEN_DOCUMENTS = ['pending', 'in_review'] as const satisfies readonly DocumentStatus[];

/** The legal moves of a document. Staff review, approve and reject. A newer upload replaces, and time expires. */
// One row per line: this is a table.
// oxfmt-ignore
const DOCUMENT_MOVES = {
  review:  { from: ['pending'],      to: 'in_review' },
  approve: { from: OPEN_DOCUMENTS,   to: 'approved' },
  reject:  { from: OPEN_DOCUMENTS,   to: 'rejected' },
  replace: { from: OPEN_DOCUMENTS,   to: 'rejected' },
  expire:  { from: ['approved'],     to: 'expired' },
} as const satisfies Record<string, { from: readonly DocumentStatus[]; to: DocumentStatus }>;
export type DocumentVerb = keyof typeof DOCUMENT_MOVES;

/** Why staff reject a document. */
export const REJECT_REASONS = [
  'unreadable',
  'wrong_document',
  'name_mismatch',
  'expired',
  'not_genuine',
  'other',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];
/** `replaced`: the courier sent another document of the type before the decision. */
export const CLOSING_REASONS = [...REJECT_REASONS, 'replaced'] as const;

/** A document that proves who a courier is or what they may drive. `*At` fields are service time in ms. */
export type CourierDocument = {
  readonly id: DocumentId;
  readonly courierId: CourierId;
  readonly liveMode: boolean;
  readonly type: DocumentType;
  readonly status: DocumentStatus;
  readonly fileId: FileId;
  /** The number of the document, encrypted; null if it was not given. */
  readonly sealedNumber: string | null;
  /** The last day on which the document is valid, in UTC: `2031-05-31`. */
  readonly expiresOn: string;
  readonly version: number;
  readonly createdAt: number;
  /** The member of staff who took it into review or decided; null before. */
  readonly reviewerId: StaffId | null;
  /** When it was approved, rejected or replaced; null before. */
  readonly decidedAt: number | null;
  readonly reason: (typeof CLOSING_REASONS)[number] | null;
  readonly comment: string | null;
  /** When the courier was warned that it will expire; null before. */
  readonly warnedAt: number | null;
};

const DAY_MS = 86_400_000;

/** The instant at which a document with this last day expires, ms: the end of that day in UTC. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS;
}

/** Says whether the verb leads from the present status of the document. */
export function mayMove({ status }: CourierDocument, verb: DocumentVerb): boolean {
  const from: readonly DocumentStatus[] = DOCUMENT_MOVES[verb].from;
  return from.includes(status);
}

/** The document after the verb. Refuses `document_decided` if the verb does not lead from its status. */
export function moveDocument(
  document: CourierDocument,
  verb: DocumentVerb,
  sets: Partial<Pick<CourierDocument, 'reviewerId' | 'decidedAt' | 'reason' | 'comment' | 'expiresOn'>>,
): CourierDocument {
  const { status, version } = document;
  if (!mayMove(document, verb)) {
    const detail = `The document is \`${status}\`, so it can no longer be reviewed, approved or rejected.`;
    throw new Refusal('document_decided', { detail, metadata: { status, version } });
  }
  return { ...document, ...sets, status: DOCUMENT_MOVES[verb].to, version: version + 1 };
}

/** Says whether the document is approved although its last day is over. */
export function isLapsed(document: CourierDocument, now: number): boolean {
  return mayMove(document, 'expire') && endOfDay(document.expiresOn) <= now;
}

/** The types of documents that the vehicle needs and that none of these documents proves at this time. */
export function missingDocuments(
  vehicle: VehicleType,
  documents: readonly CourierDocument[],
  now: number,
): readonly DocumentType[] {
  const valid = documents.filter(({ status, expiresOn }) => status === 'approved' && endOfDay(expiresOn) > now);
  return REQUIRED_DOCUMENTS[vehicle].filter((type) => !valid.some((document) => document.type === type));
}
