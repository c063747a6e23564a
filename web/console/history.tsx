import { formatOtherDay, formatWhen } from '../shared/format.ts';
import { wordsFor, type WireEvent } from '../shared/wire.ts';
import { history } from './board.ts';
import { serviceNow } from './live.ts';
import { ACTOR_WORDS, EVENT_WORDS, REASON_WORDS, WORDS } from './words.ts';

/** The events of the chosen delivery, newest first, or why they could not be read. New events appear at once. */
export function History({ mistake }: { readonly mistake: string | null }) {
  const events = history.value;
  const isOtherDay = ({ created_at: at }: WireEvent): boolean => formatOtherDay(Date.parse(at), serviceNow()) !== null;
  return (
    <section aria-labelledby="history-heading">
      <h3 id="history-heading">{WORDS.detail.history}</h3>
      {events === null ? (
        <p class="quiet">{mistake ?? WORDS.detail.loading}</p>
      ) : (
        <ol class={events.some(isOtherDay) ? 'history history-of-days' : 'history'} reversed>
          {events.toReversed().map((event) => (
            <li key={event.sequence} class="history-row">
              <time dateTime={event.created_at}>{formatWhen(Date.parse(event.created_at), serviceNow())}</time>
              <span>
                <b>{wordsFor(EVENT_WORDS, event.type)}</b>
                <span class="quiet">{remark(event)}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The actor, the courier and the reason of an event. */
function remark({ data: { actor, courier, reason, override_reason: why } }: WireEvent): string {
  const parts = [
    courier?.first_name,
    actor === undefined ? undefined : WORDS.by(wordsFor(ACTOR_WORDS, actor.type)),
    reason === undefined ? undefined : wordsFor(REASON_WORDS, reason),
    why === undefined ? undefined : WORDS.override(why),
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
