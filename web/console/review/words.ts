import type { Courier, DocumentReview } from '../../../packages/client/src/generated/types.ts';

/** Every word of the review of documents. */
export const REVIEW_WORDS = {
  heading: 'Documents to review',
  none: 'No document waits for a review.',
  loading: 'Loading…',
  cut: (count: string) => `The oldest ${count} are shown.`,
  choose: 'Choose a document to review it.',
  close: 'Close',
  testMode: 'Test mode',
  removed: 'Removed profile',
  document: 'Document',
  number: 'Number',
  noNumber: 'not given',
  validUntil: 'Valid until',
  sent: 'Sent',
  note: 'Note',
  picture: 'Picture of the document',
  noPicture: 'The browser cannot show this file here. Open it to read it.',
  open: 'Open the file',
  courier: 'Courier',
  vehicle: 'Vehicle',
  phone: 'Phone',
  profile: 'Profile',
  online: 'Online',
  offline: 'Offline',
  missing: 'Still needed',
  nothingMissing: 'All needed documents are approved.',
  reviewedBy: { you: 'You review it', colleague: 'A colleague reviews it' },
  start: 'Start review',
  started: 'Colleagues see that you review it.',
  approve: {
    action: 'Approve',
    heading: 'Approve this document?',
    text: 'Check that the name, the number and the last day are readable and match. This cannot be undone.',
    validUntil: 'Valid until',
    confirm: 'Approve',
    keep: 'Back',
    done: 'Approved.',
    active: (name: string) => `Approved. The profile of ${name} is active.`,
  },
  reject: {
    action: 'Reject',
    heading: 'Reject this document?',
    text: 'The courier sees the reason and the note, and can send another document. This cannot be undone.',
    reason: 'Reason',
    comment: 'Note to the courier, if you like',
    confirm: 'Reject',
    keep: 'Back',
    done: 'Rejected.',
  },
} as const;

export const TYPE_WORDS: Record<DocumentReview['type'], string> = {
  id: 'Identity document',
  license: 'Driving licence',
  vehicle_insurance: 'Vehicle insurance',
};

export const STATUS_WORDS: Record<DocumentReview['status'], string> = {
  pending: 'Waiting',
  in_review: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
};

export const PROFILE_WORDS: Record<Courier['state'], string> = {
  pending: 'Not active yet',
  active: 'Active',
  suspended: 'Suspended',
};

export const SUSPENDED_WORDS: Record<NonNullable<Courier['suspended_for']>, string> = {
  staff: 'Suspended by staff',
  documents: 'Suspended because a document expired',
};

export const VEHICLE_WORDS: Record<Courier['vehicle_type'], string> = {
  bicycle: 'Bicycle',
  scooter: 'Scooter',
  motorcycle: 'Motorcycle',
  car: 'Car',
  van: 'Van',
};

type ClosingReason = NonNullable<DocumentReview['reason']>;

export const CLOSING_WORDS: Record<ClosingReason, string> = {
  unreadable: 'Not readable',
  wrong_document: 'Another kind of document',
  name_mismatch: 'The name differs from the profile',
  expired: 'Expired',
  not_genuine: 'Not genuine',
  other: 'Other',
  replaced: 'Replaced by a newer document',
};
