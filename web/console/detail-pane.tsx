import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatDayTime, formatDistance, formatMoney, formatRangeWhen } from '../shared/format.ts';
import { Icon, vehicleIcon } from '../shared/icons.tsx';
import type { DeliveryView } from '../shared/wire.ts';
import { Actions } from './actions.tsx';
import { AssignPanel } from './assign-panel.tsx';
import { chosen, isAssigning, view } from './board.ts';
import { Fact } from './fact.tsx';
import { History } from './history.tsx';
import { closeChosen } from './keys.ts';
import { loadChosen, serviceNow } from './live.ts';
import { nameOf } from './names.ts';
import { explain } from './refusal.ts';
import { StateMark } from './state-mark.tsx';
import { Stops } from './stops.tsx';
import { STAGE_WORDS, WORDS } from './words.ts';

/** The chosen delivery: its state, actions, stops and history. */
export function DetailPane() {
  const { chosen: id } = view.value;
  const mistake = useSignal<string | null>(null);
  useEffect(() => {
    mistake.value = null;
    if (id === null) return;
    loadChosen(id).catch((error: unknown) => {
      if (view.value.chosen === id) mistake.value = explain(error);
    });
  }, [id]);
  if (id === null) return null;
  const delivery = chosen.value;
  return (
    <aside class="detail" aria-label={WORDS.detail.order} tabIndex={-1}>
      <header class="detail-head">
        <h2>{delivery === null ? '' : nameOf(delivery)}</h2>
        <button type="button" class="button button-quiet" onClick={closeChosen}>
          <Icon name="close" label={WORDS.detail.close} />
        </button>
      </header>
      {delivery === null ? (
        <p class="hint">{mistake.value ?? WORDS.detail.loading}</p>
      ) : (
        <div key={id} class="detail-body">
          <Summary delivery={delivery} />
          <Actions delivery={delivery} />
          {isAssigning.value && delivery.status === 'searching' && <AssignPanel delivery={delivery} />}
          <Stops delivery={delivery} />
          <History mistake={mistake.value} />
          <Facts delivery={delivery} />
        </div>
      )}
    </aside>
  );
}

function Summary({ delivery }: { delivery: DeliveryView }) {
  const { status, stage, complete, courier, eta, live_mode: isLive, kind } = delivery;
  const arrival = eta.pickup === null ? eta.drop_off : eta.pickup;
  return (
    <section class="summary">
      <p class="summary-state">
        <StateMark status={status} />
        {stage !== null && <span class="quiet">{STAGE_WORDS[stage]}</span>}
        {kind === 'return' && <span class="tag">{WORDS.detail.isReturn}</span>}
        {!isLive && <span class="tag">{WORDS.detail.testMode}</span>}
      </p>
      {courier !== null && (
        <p class="summary-courier">
          <Icon name={vehicleIcon(courier.vehicle_type)} />
          {courier.first_name}
        </p>
      )}
      {!complete && (
        <dl class="arrivals">
          {arrival === null && <Fact label={WORDS.detail.eta}>{WORDS.detail.etaUnknown}</Fact>}
          <Arrival label={WORDS.detail.etaPickup} eta={eta.pickup} />
          <Arrival label={WORDS.detail.etaDropOff} eta={eta.drop_off} />
        </dl>
      )}
    </section>
  );
}

function Arrival({ label, eta }: { label: string; eta: DeliveryView['eta']['pickup'] }) {
  if (eta === null) return null;
  const range = formatRangeWhen(Date.parse(eta.lower_at), Date.parse(eta.upper_at), serviceNow());
  return <Fact label={label}>{range}</Fact>;
}

function Facts({ delivery }: { delivery: DeliveryView }) {
  const { detail } = WORDS;
  const { charge = null, hold = null, currency } = delivery;
  return (
    <dl class="facts">
      <Fact label={detail.fee}>{formatMoney(delivery.fee, currency)}</Fact>
      {charge === null && hold !== null && <Fact label={detail.reserved}>{formatMoney(hold, currency)}</Fact>}
      {charge !== null && <Fact label={detail.charged}>{formatMoney(charge.amount, currency)}</Fact>}
      {charge !== null && charge.refunded !== undefined && charge.refunded > 0 && (
        <Fact label={detail.refunded}>{formatMoney(charge.refunded, currency)}</Fact>
      )}
      <Fact label={detail.distance}>{formatDistance(delivery.distance_m)}</Fact>
      <Fact label={detail.created}>{formatDayTime(Date.parse(delivery.created_at))}</Fact>
      {delivery.status === 'searching' && (
        <Fact label={detail.searchUntil}>{formatDayTime(Date.parse(delivery.search_until))}</Fact>
      )}
      <Fact label={detail.id}>{delivery.id}</Fact>
    </dl>
  );
}
