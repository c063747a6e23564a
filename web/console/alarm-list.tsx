import { formatCount, formatSpan } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { wordsFor } from '../shared/wire.ts';
import { look } from './board.ts';
import { alarms } from './known-alarms.ts';
import { deliveries } from './known-deliveries.ts';
import { now } from './live.ts';
import { nameOf } from './names.ts';
import { ALARM_WORDS, WORDS } from './words.ts';

/** The open alarms, oldest first. */
export function AlarmList() {
  const open = [...alarms.value.values()].toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
  if (open.length === 0) return null;
  return (
    <section class="alarms" aria-labelledby="alarms-heading">
      <h2 id="alarms-heading">
        <Icon name="alert" />
        {WORDS.alarms.heading} <b>{formatCount(open.length)}</b>
      </h2>
      <ul>
        {open.map(({ id, kind, delivery_id: deliveryId, since, detail }) => (
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
    </section>
  );
}
