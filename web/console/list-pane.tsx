import { useComputed } from '@preact/signals';
import { memo } from './memo.ts';
import { formatCount, formatSpan } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import type { DeliveryView } from '../shared/wire.ts';
import { MOST_ITEMS } from './api.ts';
import { look, view } from './board.ts';
import { alarmed } from './known-alarms.ts';
import { deliveries, isPartial, unread } from './known-deliveries.ts';
import { countStates, isOpen, OPEN_STATES, waitingSince, type OpenState } from './filters.ts';
import { now } from './live.ts';
import { endsOf, nameOf } from './names.ts';
import { isCut, isLong, isSearching, MOST_ROWS, others, rows } from './rows.ts';
import { StateMark } from './state-mark.tsx';
import { STATE_WORDS, WORDS } from './words.ts';

/** Search, filters and open deliveries, longest waiting first. Deliveries that only the service has found follow. */
export function ListPane() {
  const { search } = view.value;
  const isNarrow = search !== '' || view.value.states.length > 0;
  return (
    <section class="list-pane" aria-labelledby="list-heading">
      <div class="list-tools">
        <h2 id="list-heading">{WORDS.list.heading}</h2>
        <label class="search">
          <Icon name="search" />
          <span class="unseen">{WORDS.list.search}</span>
          <input
            id="search"
            type="search"
            placeholder={WORDS.list.searchHint}
            value={search}
            onInput={(event) => look({ search: event.currentTarget.value })}
          />
          <kbd aria-hidden="true">/</kbd>
        </label>
        <Filters />
      </div>
      {isPartial.value && <p class="hint hint-short">{WORDS.list.partial(formatCount(MOST_ITEMS))}</p>}
      <Rows deliveries={rows.value} />
      {isLong.value && <p class="hint">{WORDS.list.cut(formatCount(MOST_ROWS))}</p>}
      {others.value.length > 0 && (
        <>
          <h3 class="list-more">{WORDS.list.others}</h3>
          <Rows deliveries={others.value} />
        </>
      )}
      {isCut.value && <p class="hint hint-short">{WORDS.list.othersCut}</p>}
      {isSearching.value && rows.value.length === 0 && <p class="hint hint-short">{WORDS.list.searching}</p>}
      {rows.value.length + others.value.length === 0 && !isSearching.value && !isCut.value && (
        <div class="hint">
          <p>{unread.value ?? (isNarrow ? WORDS.list.noneMatch : WORDS.list.none)}</p>
          {isNarrow && (
            <button type="button" class="button" onClick={() => look({ search: '', states: [] })}>
              {WORDS.list.clear}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

function Rows({ deliveries: shown }: { readonly deliveries: readonly DeliveryView[] }) {
  const { chosen } = view.value;
  return (
    <ul class="rows">
      {shown.map((delivery) => (
        <Row
          key={delivery.id}
          delivery={delivery}
          isChosen={delivery.id === chosen}
          isAlarmed={alarmed.value.has(delivery.id)}
          waited={isOpen(delivery) ? formatSpan(Math.max(0, now.value - waitingSince(delivery)) / 1000) : ''}
        />
      ))}
    </ul>
  );
}

function Filters() {
  const counts = useComputed(() => countStates(deliveries.value.values()));
  const { states } = view.value;
  return (
    <div class="filters" role="group" aria-label={WORDS.list.filters}>
      {OPEN_STATES.map((state) => (
        <button
          key={state}
          type="button"
          class="filter"
          aria-pressed={states.includes(state)}
          onClick={() => look({ states: toggled(states, state) })}
        >
          <StateMark status={state} isBare />
          {STATE_WORDS[state]} <b>{formatCount(counts.value[state])}</b>
        </button>
      ))}
    </div>
  );
}

type RowProps = {
  readonly delivery: DeliveryView;
  readonly isChosen: boolean;
  readonly isAlarmed: boolean;
  readonly waited: string;
};

const Row = memo(function Row({ delivery, isChosen, isAlarmed, waited }: RowProps) {
  const { from, to } = endsOf(delivery);
  return (
    <li>
      <button
        type="button"
        class={isAlarmed ? 'row row-alarmed' : 'row'}
        data-id={delivery.id}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => look({ chosen: delivery.id })}
      >
        <span class="row-head">
          <StateMark status={delivery.status} />
          {isAlarmed && <Icon name="alert" label={WORDS.alarms.heading} />}
          <b class="row-name">{nameOf(delivery)}</b>
          <span class="row-wait">{waited}</span>
        </span>
        <span class="row-way">
          <bdi>{from}</bdi> <span aria-hidden="true">→</span>
          <span class="unseen">{WORDS.list.to}</span> <bdi>{to}</bdi>
        </span>
        {delivery.courier !== null && (
          <span class="row-courier">
            <Icon name="person" />
            {delivery.courier.first_name}
          </span>
        )}
      </button>
    </li>
  );
});

function toggled(states: readonly OpenState[], state: OpenState): OpenState[] {
  return states.includes(state) ? states.filter((each) => each !== state) : [...states, state];
}
