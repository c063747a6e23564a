import { formatTime } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import type { DeliveryView, StopView } from '../shared/wire.ts';
import { addressOf } from './names.ts';
import { REASON_WORDS, STOP_WORDS, WORDS } from './words.ts';

/** The pickup and every drop-off, with who is there and how far it is. */
export function Stops({ delivery: { pickup, drop_off: dropOffs } }: { delivery: DeliveryView }) {
  return (
    <section aria-labelledby="stops-heading">
      <h3 id="stops-heading">{WORDS.detail.stops}</h3>
      <ol class="stops">
        <Stop stop={pickup} label={WORDS.detail.pickup} />
        {dropOffs.map((stop, index) => (
          <Stop key={stop.stop} stop={stop} label={WORDS.detail.dropOff(index + 1, dropOffs.length)} />
        ))}
      </ol>
    </section>
  );
}

function Stop({ stop, label }: { stop: StopView; label: string }) {
  const at = stop.ended_at ?? stop.arrived_at;
  return (
    <li class={`stop stop-${stop.status}`}>
      <Icon name={stop.stop === 0 ? 'shop' : 'home'} />
      <div>
        <p class="stop-head">
          <b>{label}</b>
          <span class="quiet">
            {STOP_WORDS[stop.status]}
            {at === null ? '' : ` ${formatTime(Date.parse(at))}`}
          </span>
        </p>
        <p>{addressOf(stop)}</p>
        {stop.contact !== null && (
          <p class="quiet">
            {stop.contact.name}, <a href={`tel:${stop.contact.phone}`}>{stop.contact.phone}</a>
          </p>
        )}
        {stop.instructions !== null && <p class="quiet">“{stop.instructions}”</p>}
        {stop.reason !== null && <p class="quiet">{REASON_WORDS[stop.reason] ?? stop.reason}</p>}
      </div>
    </li>
  );
}
