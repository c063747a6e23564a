import { formatWhen } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { byVisit } from '../../src/domain/deliveries/stops/stop.ts';
import { wordsFor, type DeliveryView, type StopView } from '../shared/wire.ts';
import { isOpen } from './filters.ts';
import { serviceNow } from './live.ts';
import { addressOf } from './names.ts';
import { Proof, useProofs, type StopProof } from './proof.tsx';
import { REASON_WORDS, STOP_WORDS, WORDS } from './words.ts';

/** The pickup and the drop-offs in the order of visits, with their contact, state and expected arrival. */
export function Stops({ delivery }: { delivery: DeliveryView }) {
  const { pickup, drop_off: dropOffs } = delivery;
  const { stops: proven, mistake } = useProofs(delivery).value;
  const proofOf = ({ stop }: StopView) => proven.find((proof) => proof.stop === stop) ?? null;
  return (
    <section aria-labelledby="stops-heading">
      <h3 id="stops-heading">{WORDS.detail.stops}</h3>
      <ol class="stops">
        <Stop stop={pickup} label={WORDS.detail.pickup} proof={proofOf(pickup)} isOver={!isOpen(delivery)} />
        {byVisit(dropOffs).map((stop) => (
          <Stop
            key={stop.stop}
            stop={stop}
            label={WORDS.detail.dropOff(stop.visit, dropOffs.length)}
            proof={proofOf(stop)}
            isOver={!isOpen(delivery)}
          />
        ))}
      </ol>
      {mistake !== null && <p class="hint">{mistake}</p>}
    </section>
  );
}

/** A link to the page of the recipient of this stop. Its label for screen readers names the stop. */
function RecipientsPage({ url, label }: { url: string; label: string }) {
  return (
    <p>
      <a href={new URL(url).pathname} target="_blank" rel="noreferrer" aria-label={`${WORDS.detail.track}, ${label}`}>
        {WORDS.detail.track}
      </a>
    </p>
  );
}

type StopProps = {
  readonly stop: StopView;
  readonly label: string;
  readonly proof: StopProof | null;
  /** Whether the delivery has ended, so that nobody will go to a stop that was not visited. */
  readonly isOver: boolean;
};

function Stop({ stop, label, proof, isOver }: StopProps) {
  const at = stop.ended_at ?? stop.arrived_at;
  const when = (time: string): string => formatWhen(Date.parse(time), serviceNow());
  return (
    <li class={`stop stop-${stop.status}`}>
      <Icon name={stop.stop === 0 ? 'shop' : 'home'} />
      <div>
        <p class="stop-head">
          <b>{label}</b>
          <span class="quiet">
            {isOver && stop.status === 'pending' ? STOP_WORDS.canceled : STOP_WORDS[stop.status]}
            {at !== null && ` ${when(at)}`}
            {at === null && stop.eta_at !== null && `, ${WORDS.detail.expected(when(stop.eta_at))}`}
          </span>
        </p>
        <p>{addressOf(stop)}</p>
        {stop.contact !== null && (
          <p class="quiet">
            <bdi>{stop.contact.name}</bdi>, <a href={`tel:${stop.contact.phone}`}>{stop.contact.phone}</a>
          </p>
        )}
        {stop.instructions !== null && <p class="quiet">“{stop.instructions}”</p>}
        <Proof stop={stop} proof={proof} />
        {stop.tracking_url !== undefined && <RecipientsPage url={stop.tracking_url} label={label} />}
        {stop.reason !== null && <p class="quiet">{wordsFor(REASON_WORDS, stop.reason)}</p>}
      </div>
    </li>
  );
}
