import type { DocumentReview } from '../../../packages/client/src/generated/types.ts';
import { formatCount, formatSpan } from '../../shared/format.ts';
import { Icon, vehicleIcon } from '../../shared/icons.tsx';
import { look, view } from '../board.ts';
import { now } from '../live.ts';
import { session } from '../session.ts';
import { isOpen, MOST_DOCUMENTS, queue } from './queue.ts';
import { PROFILE_WORDS, REVIEW_WORDS, STATUS_WORDS, TYPE_WORDS } from './words.ts';

/** The documents that wait, oldest first. */
export function QueueList() {
  const waiting = queue.value;
  return (
    <section class="list-pane" aria-labelledby="queue-heading">
      <div class="list-tools">
        <h2 id="queue-heading">{REVIEW_WORDS.heading}</h2>
      </div>
      <ul class="rows">
        {waiting?.documents.map((document) => (
          <Row key={document.id} document={document} />
        ))}
      </ul>
      {waiting?.hasMore === true && <p class="hint">{REVIEW_WORDS.cut(formatCount(MOST_DOCUMENTS))}</p>}
      {(waiting === null || waiting.documents.length === 0) && (
        <p class="hint">{waiting === null ? REVIEW_WORDS.loading : REVIEW_WORDS.none}</p>
      )}
    </section>
  );
}

function Row({ document }: { document: DocumentReview }) {
  const { id, type, courier, created_at: createdAt } = document;
  return (
    <li>
      <button
        type="button"
        class="row"
        data-id={id}
        aria-current={id === view.value.document ? 'true' : undefined}
        onClick={() => look({ document: id })}
      >
        <span class="row-head">
          <ReviewMark document={document} />
          <b class="row-name">{courier?.name ?? REVIEW_WORDS.removed}</b>
          <span class="row-wait">{formatSpan(Math.max(0, now.value - Date.parse(createdAt)) / 1000)}</span>
        </span>
        <span class="row-courier">
          <Icon name={vehicleIcon(courier?.vehicle_type ?? '')} />
          {TYPE_WORDS[type]}
          {courier !== null && ` · ${PROFILE_WORDS[courier.state]}`}
        </span>
      </button>
    </li>
  );
}

/** The state of a review in words, and for one that has begun, whose it is. */
export function ReviewMark({ document }: { document: Pick<DocumentReview, 'status' | 'reviewer_id'> }) {
  const { status, reviewer_id: reviewerId } = document;
  const { you, colleague } = REVIEW_WORDS.reviewedBy;
  const isBegun = isOpen(document) && reviewerId !== null;
  return (
    <span class={`review-mark review-${status}`}>
      {isBegun ? (reviewerId === session.value?.staffId ? you : colleague) : STATUS_WORDS[status]}
    </span>
  );
}
