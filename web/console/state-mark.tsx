import type { State } from '../shared/wire.ts';
import { DELIVERY_SHAPES } from './shapes.ts';
import { STATE_WORDS } from './words.ts';

/** The state of a delivery as colour and shape, with or without its word. */
export function StateMark({ status, isBare = false }: { status: State; isBare?: boolean }) {
  return (
    <span class={`state state-${status}`}>
      <svg class="state-shape" viewBox="0 0 12 12" aria-hidden="true">
        <path d={DELIVERY_SHAPES[status]} />
      </svg>
      {!isBare && STATE_WORDS[status]}
    </span>
  );
}
