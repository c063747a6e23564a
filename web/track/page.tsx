import { useComputed, useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatAgo, formatDistance, formatSpan, formatTime } from '../shared/format.ts';
import { metresBetween } from '../shared/glide.ts';
import { Icon, vehicleIcon } from '../shared/icons.tsx';
import { Delay } from './delay.tsx';
import type { Following } from './follow.ts';
import { VendorMark } from './vendor-mark.tsx';
import { Rating } from './rating.tsx';
import { beforeWords, hasEnded, isHere, isStale, sayingOf, showsCourier, withoutPast } from './saying.ts';
import { Steps } from './steps.tsx';
import { TrackMap } from './track-map.tsx';
import { kindWords, WORDS } from './words.ts';

type Props = { readonly following: Following; readonly token: string };

/** Age in seconds from which the page shows the age of a position. */
const AGE_WORTH_SAYING_S = 10;

export function Page({ following, token }: Props) {
  const now = useNow(following);
  const delivery = useComputed(() => withoutPast(following.delivery.value, now.value)).value;
  const { headline, detail } = sayingOf(delivery);
  const isOver = hasEnded(delivery);
  const before = beforeWords(delivery);
  return (
    <div class={isOver ? 'page page-over' : 'page'}>
      <header class="vendor">
        <VendorMark vendor={delivery.vendor} token={token} />
        <span class="vendor-name" dir="auto">
          {delivery.vendor.name}
        </span>
      </header>
      <ConnectionBar following={following} />
      {!isOver && <TrackMap following={following} now={now} />}
      <main class="sheet">
        {isOver && (
          <span class={`badge badge-${delivery.status}`}>
            <Icon name={delivery.status === 'delivered' ? 'check' : 'close'} />
          </span>
        )}
        <div class="saying" aria-live="polite">
          <h1>{headline}</h1>
          {detail !== null && <p class="detail">{detail}</p>}
          {!isOver && <Delay delivery={delivery} token={token} />}
          {delivery.delay_reason !== null && (
            <p class="before">
              <Icon name="shop" />
              {WORDS.putOff(delivery.vendor.name, delivery.delay_reason)}
            </p>
          )}
          {before !== null && (
            <p class="before">
              <Icon name="list" />
              {before}
            </p>
          )}
        </div>
        <Steps delivery={delivery} />
        {isOver && delivery.rating !== null && delivery.courier !== null && (
          <Rating name={delivery.courier.first_name} rating={delivery.rating} token={token} now={delivery.clock.now} />
        )}
        {isOver ? <Summary following={following} /> : <Courier following={following} now={now} />}
        {!isOver && <Pin pin={delivery.pin} />}
        {!isOver && delivery.drop_off.instructions !== null && (
          <section class="card">
            <Icon name="home" />
            <div>
              <h2>{WORDS.instructions}</h2>
              <p dir="auto">{delivery.drop_off.instructions}</p>
            </div>
          </section>
        )}
      </main>
    </div>
  );
}

function Pin({ pin }: { pin: string | null }) {
  if (pin === null) return null;
  return (
    <section class="card">
      <Icon name="check" />
      <div>
        <h2>{WORDS.pin(pin)}</h2>
        <p>{WORDS.pinUse}</p>
      </div>
    </section>
  );
}

function ConnectionBar({ following }: { following: Following }) {
  const { connection, lastSeenAt } = following;
  if (connection.value !== 'lost') return null;
  return (
    <p class="connection" role="status">
      {WORDS.connectingAgain(formatTime(lastSeenAt.value))}
    </p>
  );
}

function Courier({ following, now }: { following: Following; now: Signal<number> }) {
  const { courier, drop_off: dropOff } = following.delivery.value;
  if (courier === null) return null;
  const fix = showsCourier(following.delivery.value) ? following.fix.value : null;
  const ageS = fix === null ? 0 : (now.value - fix.at) / 1000;
  return (
    <section class="card">
      <span class="courier-mark">
        <Icon name={vehicleIcon(courier.vehicle_type)} />
      </span>
      <div>
        <h2>{courier.first_name}</h2>
        <p>
          {fix === null || isHere(following.delivery.value)
            ? WORDS.byVehicle(
                WORDS.vehicles[courier.vehicle_type as keyof typeof WORDS.vehicles] ?? courier.vehicle_type,
              )
            : WORDS[isStale(fix.at, now.value) ? 'courierWasAt' : 'courierAt'](
                courier.first_name,
                formatDistance(metresBetween(fix, dropOff)),
              )}
        </p>
        {ageS > AGE_WORTH_SAYING_S && <p class="quiet">{WORDS.positionAge(formatAgo(ageS))}</p>}
      </div>
    </section>
  );
}

function Summary({ following }: { following: Following }) {
  const delivery = following.delivery.value;
  const { status, courier, steps } = delivery;
  if (status !== 'delivered' || courier === null || steps.ended_at === null) return null;
  const tookS = (Date.parse(steps.ended_at) - Date.parse(steps.ordered_at)) / 1000;
  return (
    <section class="card">
      <span class="courier-mark">
        <Icon name={vehicleIcon(courier.vehicle_type)} />
      </span>
      <div>
        <h2>{courier.first_name}</h2>
        <p>{kindWords(delivery).summary(formatSpan(tookS))}</p>
      </div>
    </section>
  );
}

/** Service time, updated once a second while the page is visible. */
function useNow(following: Following): Signal<number> {
  const now = useSignal(following.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) now.value = following.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [following, now]);
  return now;
}
