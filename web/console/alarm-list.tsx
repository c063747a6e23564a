import { formatCount, formatSpan } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { wordsFor } from '../shared/wire.ts';
import { look } from './board.ts';
import { alarms, oldestOf } from './known-alarms.ts';
import { deliveries } from './known-deliveries.ts';
import { now } from './live.ts';
import { nameOf } from './names.ts';
import { ALARM_WORDS, WORDS } from './words.ts';

/** The open alarms, oldest first. If there are very many, it draws only the oldest. */
export function AlarmList() {
  const { drawn, more } = oldestOf(alarms.value);
  if (drawn.length === 0) return null;
  return (
    <section class="alarms" aria-labelledby="alarms-heading">
      <h2 id="alarms-heading">
        <Icon name="alert" />
        {WORDS.alarms.heading} <b>{formatCount(drawn.length + more)}</b>
      </h2>
      <ul>
        {drawn.map(({ id, kind, delivery_id: deliveryId, since, detail }) => (
          <li key={id}>
            <button
              type="button"
              class="alarm"
              disabled={deliveryId === undefined}
              onClick={() => look({ chosen: deliveryId ?? null })}
            >
              <b>{wordsFor(ALARM_WORDS, kind)}</b>
              <span class="alarm-since">
                {WORDS.list.since(formatSpan(Math.max(0, now.value - Date.parse(since)) / 1000))}
              </span>
              <span class="alarm-detail">
                {deliveryId === undefined
                  ? detail
                  : `${nameOf(deliveries.value.get(deliveryId) ?? { id: deliveryId, external_id: null })}: ${detail}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="alarms-more">{WORDS.alarms.more(formatCount(more))}</p>}
    </section>
  );
}
