import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DocumentReviewDetails } from '../../../packages/client/src/generated/types.ts';
import { formatDate, formatDayTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { view } from '../board.ts';
import { Fact } from '../fact.tsx';
import { closeChosen } from '../keys.ts';
import { explain } from '../refusal.ts';
import { CourierFacts } from './courier-facts.tsx';
import { Decide } from './decide.tsx';
import { ReviewMark } from './queue-list.tsx';
import { loadDocument, opened } from './queue.ts';
import { CLOSING_WORDS, REVIEW_WORDS, TYPE_WORDS } from './words.ts';

/** The chosen document: its file, its facts, its courier, and the decision. */
export function DocumentPane() {
  const { document: id } = view.value;
  const mistake = useSignal<string | null>(null);
  useEffect(() => {
    mistake.value = null;
    if (id === null) return;
    loadDocument(id).catch((error: unknown) => {
      mistake.value = explain(error);
    });
  }, [id]);
  const document = opened.value;
  // The same element also without a document: after the last decision the focus moves to it.
  if (id === null) {
    return (
      <article class="review" tabIndex={-1}>
        <p class="hint">{REVIEW_WORDS.choose}</p>
      </article>
    );
  }
  return (
    <article class="review" aria-labelledby="review-heading" tabIndex={-1}>
      <header class="detail-head">
        <h2 id="review-heading">{document === null ? REVIEW_WORDS.document : TYPE_WORDS[document.type]}</h2>
        <button type="button" class="button button-quiet" onClick={closeChosen}>
          <Icon name="close" label={REVIEW_WORDS.close} />
        </button>
      </header>
      {document === null ? (
        <p class="hint">{mistake.value ?? REVIEW_WORDS.loading}</p>
      ) : (
        <div class="review-body">
          <File key={document.file.url} url={document.file.url} />
          <div class="review-side">
            <p class="summary-state">
              <ReviewMark document={document} />
              {!document.live_mode && <span class="tag">{REVIEW_WORDS.testMode}</span>}
            </p>
            <Decide key={document.id} document={document} />
            <Facts document={document} />
            <CourierFacts document={document} />
          </div>
        </div>
      )}
    </article>
  );
}

/** The picture of the document. A PDF has no preview, so the reader opens it in another tab. */
function File({ url }: { url: string }) {
  const path = new URL(url).pathname;
  const isPicture = useSignal(true);
  return (
    <figure class="review-file">
      {isPicture.value ? (
        <img src={path} alt={REVIEW_WORDS.picture} onError={() => (isPicture.value = false)} />
      ) : (
        <p class="quiet">{REVIEW_WORDS.noPicture}</p>
      )}
      <figcaption>
        <a href={path} target="_blank" rel="noreferrer">
          {REVIEW_WORDS.open}
        </a>
      </figcaption>
    </figure>
  );
}

function Facts({ document }: { document: DocumentReviewDetails }) {
  const { number, reason, comment } = document;
  const note = [reason === null ? null : CLOSING_WORDS[reason], comment].filter((text) => text !== null).join(': ');
  return (
    <section aria-labelledby="document-heading">
      <h3 id="document-heading">{REVIEW_WORDS.document}</h3>
      <dl class="review-facts">
        <Fact label={REVIEW_WORDS.number}>{number ?? REVIEW_WORDS.noNumber}</Fact>
        <Fact label={REVIEW_WORDS.validUntil}>{formatDate(document.expires_on)}</Fact>
        <Fact label={REVIEW_WORDS.sent}>{formatDayTime(Date.parse(document.created_at))}</Fact>
        {note !== '' && <Fact label={REVIEW_WORDS.note}>{note}</Fact>}
      </dl>
    </section>
  );
}
