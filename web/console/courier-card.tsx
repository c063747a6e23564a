import { formatAgo } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { courierNames } from './assign-panel.tsx';
import { look, pickedCourier } from './board.ts';
import { deliveries } from './known-deliveries.ts';
import { courierState } from './fleet.ts';
import { fleet, now } from './live.ts';
import { COURIER_WORDS, WORDS } from './words.ts';

/** The courier picked on the map: name, state and deliveries. */
export function CourierCard() {
  const id = pickedCourier.value;
  const [at, courier] = [now.value, fleet.couriers.get(id ?? '')];
  if (id === null || courier === undefined) return null;
  const { deliveryId } = courier;
  return (
    <section class="courier-card">
      <div>
        <b>{nameOf(id)}</b>
        <p class="quiet">
          {COURIER_WORDS[courierState(courier, at)]} ·{' '}
          {WORDS.courier.seen(formatAgo(Math.max(0, at - courier.at) / 1000))}
        </p>
      </div>
      {deliveryId !== null && (
        <button type="button" class="button button-small" onClick={() => look({ chosen: deliveryId })}>
          {WORDS.courier.open}
        </button>
      )}
      <button type="button" class="button button-quiet" onClick={() => (pickedCourier.value = null)}>
        <Icon name="close" label={WORDS.courier.close} />
      </button>
    </section>
  );
}

/** The name of a courier who carries a delivery or was a candidate. Positions do not contain names. */
function nameOf(id: string): string {
  const carried = [...deliveries.value.values()].find(({ courier }) => courier?.id === id);
  return courierNames.value.get(id) ?? carried?.courier?.first_name ?? WORDS.courier.unnamed(id.slice(-6));
}
