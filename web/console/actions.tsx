import { useSignal } from '@preact/signals';
import type { DeliveryView } from '../shared/wire.ts';
import { Ask, Reasons } from './ask.tsx';
import { isAssigning, tell } from './board.ts';
import { Cancel } from './cancel.tsx';
import { isOpen } from './filters.ts';
import { fieldOf } from './form.ts';
import { unassign } from './live.ts';
import { WORDS } from './words.ts';

const UNASSIGN_REASONS = WORDS.unassign.reasons.map((reason) => ({ value: reason, label: reason }));

/** The actions that are possible now. An action that cannot be undone needs a confirmation. */
export function Actions({ delivery }: { delivery: DeliveryView }) {
  const asked = useSignal<'unassign' | 'cancel' | null>(null);
  const close = (): void => {
    asked.value = null;
  };
  if (!isOpen(delivery)) return null;
  const { status, courier } = delivery;
  return (
    <section class="actions">
      {status === 'searching' && (
        <button
          type="button"
          class="button button-main"
          aria-expanded={isAssigning.value}
          aria-keyshortcuts="a"
          onClick={() => {
            isAssigning.value = !isAssigning.value;
          }}
        >
          {WORDS.assign.action}
          <kbd aria-hidden="true">a</kbd>
        </button>
      )}
      {status === 'assigned' && (
        <button type="button" class="button" onClick={() => (asked.value = 'unassign')}>
          {WORDS.unassign.action}
        </button>
      )}
      <button type="button" class="button button-danger" onClick={() => (asked.value = 'cancel')}>
        {WORDS.cancel.action}
      </button>
      {asked.value === 'unassign' && courier !== null && (
        <Ask
          words={{ ...WORDS.unassign, heading: WORDS.unassign.heading(courier.first_name) }}
          act={async (form) => {
            await unassign(delivery.id, courier.id, fieldOf(form, 'reason'));
            tell(WORDS.unassign.done);
          }}
          close={close}
        >
          <Reasons label={WORDS.unassign.reason} reasons={UNASSIGN_REASONS} />
        </Ask>
      )}
      {asked.value === 'cancel' && <Cancel delivery={delivery} close={close} />}
    </section>
  );
}
