import { useSignal } from '@preact/signals';
import { useCallback, useRef } from 'preact/hooks';
import { isRecord } from '../../packages/client/src/records.ts';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { formatWhen } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { ANSWER_MS } from './follow.ts';
import { WORDS } from './words.ts';

type Given = NonNullable<TrackDelivery['rating']>;

const STARS = [1, 2, 3, 4, 5] as const;
const MOST_COMMENT = 500;

/** Asks the recipient for a rating of the courier after the end. They can change it for a while. */
export function Rating({ name, rating, token, now }: { name: string; rating: Given; token: string; now: number }) {
  const given = useSignal(rating);
  const isEditing = useSignal(rating.rating === null);
  // The focus would otherwise be lost with the button that had it. Before the first press it is elsewhere on the page.
  const isPressed = useRef(false);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    if (isPressed.current) element?.focus();
  }, []);
  const edit = (is: boolean): void => {
    isPressed.current = true;
    isEditing.value = is;
  };
  const { rating: stars, open } = given.value;
  if (isEditing.value && open) {
    const onGiven = (next: Given): void => {
      given.value = next;
      edit(false);
    };
    return <Form name={name} given={given.value} token={token} now={now} onGiven={onGiven} takeFocus={takeFocus} />;
  }
  if (stars === null) return null;
  return (
    <section class="rating">
      <h2 ref={takeFocus} tabIndex={-1}>
        {WORDS.ratingThanks}
      </h2>
      <p class="stars" role="img" aria-label={WORDS.stars(stars)}>
        {STARS.map((star) => (
          <span key={star} class={star <= stars ? 'star star-on' : 'star'}>
            <Icon name="star" />
          </span>
        ))}
      </p>
      {given.value.comment !== null && (
        <p class="quote" dir="auto">
          {given.value.comment}
        </p>
      )}
      {open && (
        <button type="button" class="quiet-button" onClick={() => edit(true)}>
          {WORDS.ratingChange}
        </button>
      )}
    </section>
  );
}

type FormProps = {
  name: string;
  given: Given;
  token: string;
  now: number;
  onGiven: (next: Given) => void;
  takeFocus: (element: HTMLElement | null) => void;
};

function Form({ name, given, token, now, onGiven, takeFocus }: FormProps) {
  const stars = useSignal(given.rating);
  const state = useSignal<'ready' | 'sending' | 'failed'>('ready');
  const comment = useRef<HTMLTextAreaElement>(null);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (stars.value === null || state.value === 'sending') return;
    state.value = 'sending';
    const next = await post(token, stars.value, comment.current?.value ?? '');
    state.value = next === null ? 'failed' : 'ready';
    if (next !== null) onGiven(next);
  };
  return (
    <form class="rating" onSubmit={(event) => void send(event)}>
      <fieldset>
        <legend>{WORDS.ratingAsk(name)}</legend>
        <div class="stars">
          {STARS.map((star) => (
            <label key={star} class={star <= (stars.value ?? 0) ? 'star star-on' : 'star'}>
              <input
                ref={star === given.rating ? takeFocus : null}
                type="radio"
                name="stars"
                value={star}
                checked={star === stars.value}
                aria-label={WORDS.stars(star)}
                onChange={() => (stars.value = star)}
              />
              <Icon name="star" />
            </label>
          ))}
        </div>
      </fieldset>
      {stars.value !== null && (
        <>
          <label class="comment">
            <span>{WORDS.ratingComment}</span>
            <textarea ref={comment} dir="auto" rows={3} maxLength={MOST_COMMENT} defaultValue={given.comment ?? ''} />
          </label>
          <button type="submit" class="main-button" disabled={state.value === 'sending'}>
            {WORDS.ratingSend}
          </button>
        </>
      )}
      {given.until !== null && <p class="rating-until">{WORDS.ratingUntil(untilWords(given.until, now))}</p>}
      <p class="rating-fault" role="status">
        {state.value === 'failed' ? WORDS.ratingFailed : ''}
      </p>
    </form>
  );
}

/** The last moment to rate, with its day if that is not today. */
function untilWords(until: string, now: number): string {
  return formatWhen(Date.parse(until), now);
}

/** Says whether this is a rating that is stored. Something on the way may answer too, as for a read of the page. */
function isGiven(body: unknown): body is Given {
  return isRecord(body) && typeof body['rating'] === 'number';
}

/** Sends the rating. Returns it as stored, or null if it was not stored. */
async function post(token: string, rating: number, comment: string): Promise<Given | null> {
  const body = JSON.stringify({ rating, comment });
  try {
    const answer = await fetch(`/t/${token}/rating`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const stored: unknown = await answer.json();
    return answer.ok && isGiven(stored) ? stored : null;
  } catch {
    // The page is offline, or the answer is late. The form says so and keeps what was written.
    return null;
  }
}
