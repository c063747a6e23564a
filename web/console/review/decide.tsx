import { useSignal } from '@preact/signals';
import type { DocumentReviewDetails } from '../../../packages/client/src/generated/types.ts';
import { REJECT_REASONS } from '../../../src/domain/couriers/document.ts';
import { Ask, Reasons } from '../ask.tsx';
import { tell } from '../board.ts';
import { fieldOf } from '../form.ts';
import { useMistake } from '../use-mistake.ts';
import { decide, isOpen, startReview, type Decision } from './queue.ts';
import { CLOSING_WORDS, REVIEW_WORDS } from './words.ts';

type Props = { readonly document: DocumentReviewDetails };

/** The actions of a reviewer on a document that waits. */
export function Decide({ document }: Props) {
  const asked = useSignal<Decision['decision'] | null>(null);
  const { mistake, fail } = useMistake();
  const close = (): void => {
    asked.value = null;
  };
  const start = (): void => {
    mistake.value = null;
    startReview(document).then(() => tell(REVIEW_WORDS.started), fail);
  };
  // An open question stays, also if a colleague has decided meanwhile, because it shows the refusal.
  if (!isOpen(document) && asked.value === null) return null;
  return (
    <section class="actions">
      <button type="button" class="button button-main" onClick={() => (asked.value = 'approve')}>
        {REVIEW_WORDS.approve.action}
      </button>
      <button type="button" class="button button-danger" onClick={() => (asked.value = 'reject')}>
        {REVIEW_WORDS.reject.action}
      </button>
      {document.status === 'pending' && (
        <button type="button" class="button" onClick={start}>
          {REVIEW_WORDS.start}
        </button>
      )}
      {mistake.value !== null && (
        <p class="mistake" role="alert">
          {mistake.value}
        </p>
      )}
      {asked.value === 'approve' && <Approve document={document} close={close} />}
      {asked.value === 'reject' && <Reject document={document} close={close} />}
    </section>
  );
}

type QuestionProps = Props & { readonly close: () => void };

function Approve({ document, close }: QuestionProps) {
  const { approve: words } = REVIEW_WORDS;
  return (
    <Ask
      words={words}
      isDanger={false}
      act={async (form) => {
        const lastDay = fieldOf(form, 'expires_on');
        const corrected = lastDay === document.expires_on ? {} : { expires_on: lastDay };
        const { courier } = await decide(document, { decision: 'approve', ...corrected });
        tell(courier?.state === 'active' ? words.active(courier.name) : words.done);
      }}
      close={close}
    >
      <label>
        {words.validUntil}
        <input name="expires_on" type="date" required defaultValue={document.expires_on} />
      </label>
    </Ask>
  );
}

function Reject({ document, close }: QuestionProps) {
  const { reject: words } = REVIEW_WORDS;
  return (
    <Ask
      words={words}
      act={async (form) => {
        const comment = fieldOf(form, 'comment').trim();
        const note = comment === '' ? {} : { comment };
        await decide(document, { decision: 'reject', reason: fieldOf(form, 'reason'), ...note });
        tell(words.done);
      }}
      close={close}
    >
      <Reasons
        label={words.reason}
        reasons={REJECT_REASONS.map((reason) => ({ value: reason, label: CLOSING_WORDS[reason] }))}
      />
      <label>
        {words.comment}
        <input name="comment" type="text" maxLength={280} autocomplete="off" />
      </label>
    </Ask>
  );
}
