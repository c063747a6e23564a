import type { DocumentReviewDetails } from '../../../packages/client/src/generated/types.ts';
import { Fact } from '../fact.tsx';
import { PROFILE_WORDS, REVIEW_WORDS, SUSPENDED_WORDS, TYPE_WORDS, VEHICLE_WORDS } from './words.ts';

/** The courier who sent the document, as they are now, and the documents that they still need. */
export function CourierFacts({ document }: { document: DocumentReviewDetails }) {
  const { courier, missing_documents: missing } = document;
  return (
    <section aria-labelledby="courier-heading">
      <h3 id="courier-heading">{REVIEW_WORDS.courier}</h3>
      {courier === null ? (
        <p class="quiet">{REVIEW_WORDS.removed}</p>
      ) : (
        <>
          <p class="review-name">
            <b>{courier.name}</b>
            <span class="tag">{courier.status === 'online' ? REVIEW_WORDS.online : REVIEW_WORDS.offline}</span>
          </p>
          <dl class="review-facts">
            <Fact label={REVIEW_WORDS.profile}>
              {courier.suspended_for === null ? PROFILE_WORDS[courier.state] : SUSPENDED_WORDS[courier.suspended_for]}
            </Fact>
            <Fact label={REVIEW_WORDS.vehicle}>{VEHICLE_WORDS[courier.vehicle_type]}</Fact>
            <Fact label={REVIEW_WORDS.phone}>{courier.phone}</Fact>
            <Fact label={REVIEW_WORDS.missing}>
              {missing.length === 0 ? REVIEW_WORDS.nothingMissing : missing.map((type) => TYPE_WORDS[type]).join(', ')}
            </Fact>
          </dl>
        </>
      )}
    </section>
  );
}
