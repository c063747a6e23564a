import type { CourierDocument } from '../../../src/domain/couriers/document.ts';
import { newId } from '../../../src/domain/ids.ts';
import { NOON } from '../../builders.ts';

/** An identity document that waits for its review. */
export function aDocument(over: Partial<CourierDocument> = {}): CourierDocument {
  return {
    id: newId('doc'),
    courierId: newId('cou'),
    liveMode: false,
    type: 'id',
    status: 'pending',
    fileId: newId('fil'),
    sealedNumber: null,
    expiresOn: '2030-01-31',
    version: 1,
    createdAt: NOON,
    reviewerId: null,
    decidedAt: null,
    reason: null,
    comment: null,
    warnedAt: null,
    ...over,
  };
}
