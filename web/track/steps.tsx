import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { formatOtherDay, formatTime } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { stepsOf } from './steps-of.ts';
import { WORDS } from './words.ts';

/** The steps of the delivery, each with its time after it has happened. */
export function Steps({ delivery }: { delivery: TrackDelivery }) {
  return (
    <ol class="steps" aria-label={WORDS.progress}>
      {stepsOf(delivery).map(({ key, label, at, mark }) => (
        <li key={key} class={`step step-${mark}`}>
          <span class="step-dot">
            {mark === 'done' && <Icon name="check" />}
            {mark === 'broken' && <Icon name="close" />}
          </span>
          <span class="step-label">{label}</span>
          <span class="step-time">
            {at !== null && formatOtherDay(at, delivery.clock.now) !== null && (
              <span class="step-day">{formatOtherDay(at, delivery.clock.now)}</span>
            )}
            {at !== null && formatTime(at)}
          </span>
          {mark !== 'broken' && <span class="unseen">{WORDS[mark]}</span>}
        </li>
      ))}
    </ol>
  );
}
