import { formatTime } from '../shared/format.ts';
import type { WireEvent } from '../shared/wire.ts';
import { history } from './board.ts';
import { ACTOR_WORDS, EVENT_WORDS, REASON_WORDS, WORDS } from './words.ts';

/** What has happened to the chosen delivery, newest first; it grows while one looks. */
export function History() {
  const events = history.value;
  return (
    <section aria-labelledby="history-heading">
      <h3 id="history-heading">{WORDS.detail.history}</h3>
      {events === null ? (
        <p class="quiet">{WORDS.detail.loading}</p>
      ) : (
        <ol class="history" reversed>
          {events.toReversed().map((event) => (
            <li key={event.sequence} class="history-row">
              <time dateTime={event.created_at}>{formatTime(Date.parse(event.created_at))}</time>
              <span>
                <b>{EVENT_WORDS[event.type] ?? event.type}</b>
                <span class="quiet">{remark(event)}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Who did it, with which courier and why. */
function remark({ data: { actor, courier, reason, override_reason: why } }: WireEvent): string {
  const parts = [
    courier?.first_name,
    actor === undefined ? undefined : WORDS.by(ACTOR_WORDS[actor.type] ?? actor.type),
    reason === undefined ? undefined : (REASON_WORDS[reason] ?? reason),
    why === undefined ? undefined : WORDS.override(why),
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
