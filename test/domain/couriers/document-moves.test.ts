import { expect, test } from 'vitest';
import { DOCUMENT_STATUSES, moveDocument, type DocumentVerb } from '../../../src/domain/couriers/document.ts';
import { aDocument } from '../../models/couriers/a-document.ts';

test('[D180] a document moves only along the table of its moves', () => {
  const lead: Record<DocumentVerb, readonly string[]> = {
    review: ['pending'],
    approve: ['pending', 'in_review'],
    reject: ['pending', 'in_review'],
    replace: ['pending', 'in_review'],
    expire: ['approved'],
  };
  for (const verb of Object.keys(lead) as DocumentVerb[]) {
    const from = DOCUMENT_STATUSES.filter((status) => {
      try {
        moveDocument(aDocument({ status }), verb, {});
        return true;
      } catch {
        return false;
      }
    });
    expect([verb, from]).toEqual([verb, lead[verb]]);
  }
});
