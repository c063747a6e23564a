import { signal, useSignal, type Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount, formatDistance, formatSpan } from '../shared/format.ts';
import { Icon, vehicleIcon } from '../shared/icons.tsx';
import type { CourierId, DeliveryView } from '../shared/wire.ts';
import { getPage } from './api.ts';
import { chosen, history, isAssigning, tell, pickedCourier } from './board.ts';
import { focusDetail } from './keys.ts';
import { assign } from './live.ts';
import { explain } from './refusal.ts';
import { useMistake } from './use-mistake.ts';
import { STATE_WORDS, WORDS } from './words.ts';

type Candidate = {
  readonly courier: { readonly id: CourierId; readonly name: string; readonly vehicle_type: string };
  readonly distance_m: number;
  readonly travel_s: number;
  readonly load: number;
  readonly cost: number;
  readonly reason: string;
};

/** Names of couriers who were candidates, because positions do not contain names. */
export const courierNames = signal<ReadonlyMap<string, string>>(new Map());

/** The couriers who could carry the delivery, null until they are read, and the function that reads them again. */
function useCandidates({ id }: DeliveryView, mistake: Signal<string | null>) {
  const candidates = useSignal<readonly Candidate[] | null>(null);
  const load = (): void => {
    getPage<Candidate>(`/dispatch/candidates?delivery_id=${id}`).then(
      ({ data }) => {
        candidates.value = data;
        const met = data.map(({ courier }) => [courier.id, courier.name] as const);
        courierNames.value = new Map([...courierNames.value, ...met]);
      },
      (error: unknown) => {
        mistake.value = explain(error);
      },
    );
  };
  useEffect(load, [id]);
  return { candidates, load };
}

/**
 * A panel that takes the focus when it opens. When it closes, a focus inside it moves to the delivery. If its delivery took it
 * away, a notice says why, unless the answer to an own assignment will.
 */
function usePanel({ id }: DeliveryView, busyWith: Signal<string | null>) {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const opened = panel.current;
    opened?.focus();
    return () => {
      if (opened?.contains(document.activeElement) === true) focusDetail();
      const now = chosen.peek();
      if (now?.id === id && now.status !== 'searching' && busyWith.peek() === null) tell(changeOf(now));
      // Otherwise a panel that its delivery took away would come back when the delivery is free again.
      isAssigning.value = false;
    };
  }, []);
  return panel;
}

/** Why the delivery needs no courier any more. */
function changeOf({ courier, status }: DeliveryView): string {
  if (courier === null) return WORDS.assign.over(STATE_WORDS[status].toLowerCase());
  const assigned = history.peek()?.findLast(({ type }) => type === 'courier.assigned');
  return WORDS.assign.taken(courier.first_name, assigned?.data.actor?.type === 'staff');
}

/** The couriers who could carry the delivery, nearest first. A courier picked on the map is on top. */
export function AssignPanel({ delivery }: { delivery: DeliveryView }) {
  const { mistake, isGone, fail } = useMistake();
  const { candidates, load } = useCandidates(delivery, mistake);
  const busyWith = useSignal<string | null>(null);
  const panel = usePanel(delivery, busyWith);
  const isListed = candidates.value !== null;
  useLayoutEffect(() => {
    if (isListed) panel.current?.scrollIntoView({ block: 'nearest' });
  }, [isListed]);
  const searchAgain = (): void => {
    mistake.value = null;
    load();
  };
  const give = (id: CourierId, name: string): void => {
    // The button is disabled until the answer, and the focus would go with it.
    panel.current?.focus();
    busyWith.value = id;
    mistake.value = null;
    assign(delivery.id, id).then(
      () => {
        tell(WORDS.assign.done(name));
        // If this panel is gone, another one may be open.
        if (!isGone.current) isAssigning.value = false;
      },
      (error: unknown) => {
        busyWith.value = null;
        fail(error);
        if (!isGone.current) load();
      },
    );
  };
  return (
    <section class="assign" ref={panel} tabIndex={-1} aria-labelledby="assign-heading">
      <div class="assign-head">
        <h3 id="assign-heading">{WORDS.assign.heading}</h3>
        <button type="button" class="button button-small" onClick={searchAgain}>
          {WORDS.assign.reload}
        </button>
      </div>
      {mistake.value !== null && (
        <p class="mistake" role="alert">
          {mistake.value}
        </p>
      )}
      <Picked candidates={candidates.value ?? []} busyWith={busyWith.value} give={give} />
      {candidates.value === null && mistake.value === null && <p class="quiet">{WORDS.detail.loading}</p>}
      {candidates.value?.length === 0 && <p class="quiet">{WORDS.assign.none}</p>}
      <ul class="candidates">
        {candidates.value?.map((candidate) => (
          <CandidateRow key={candidate.courier.id} candidate={candidate} busyWith={busyWith.value} give={give} />
        ))}
      </ul>
    </section>
  );
}

type Giving = { readonly busyWith: string | null; readonly give: (id: CourierId, name: string) => void };

/** The courier picked on the map, unless they are at the top of the list already. */
function Picked({ candidates, busyWith, give }: Giving & { candidates: readonly Candidate[] }) {
  const id = pickedCourier.value as CourierId | null;
  if (id === null || candidates.some(({ courier }) => courier.id === id)) return null;
  const name = courierNames.value.get(id) ?? WORDS.courier.unnamed(id.slice(-6));
  return (
    <div class="candidate candidate-picked">
      <Icon name="person" />
      <b>{name}</b>
      <p class="quiet">{WORDS.assign.picked}</p>
      <AssignButton id={id} name={name} busyWith={busyWith} give={give} />
    </div>
  );
}

function CandidateRow({ candidate, busyWith, give }: Giving & { candidate: Candidate }) {
  const { courier, distance_m: distanceM, travel_s: travelS, load, cost, reason } = candidate;
  const isPicked = pickedCourier.value === courier.id;
  return (
    <li class={isPicked ? 'candidate candidate-picked' : 'candidate'}>
      <Icon name={vehicleIcon(courier.vehicle_type)} label={courier.vehicle_type} />
      <div>
        <b>{courier.name}</b> {isPicked && <span class="tag">{WORDS.assign.picked}</span>}
      </div>
      <p class="candidate-facts">
        {WORDS.assign.away(formatDistance(distanceM), formatSpan(travelS))} · {WORDS.assign.load(load)} ·{' '}
        {WORDS.assign.cost(formatCount(cost))}
      </p>
      <p class="quiet">{reason}</p>
      <AssignButton id={courier.id} name={courier.name} busyWith={busyWith} give={give} />
    </li>
  );
}

function AssignButton({ id, name, busyWith, give }: Giving & { id: CourierId; name: string }) {
  return (
    <button
      type="button"
      class="button button-small button-main"
      disabled={busyWith !== null}
      aria-label={WORDS.assign.to(name)}
      onClick={() => give(id, name)}
    >
      {WORDS.assign.action}
    </button>
  );
}
