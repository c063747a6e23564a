import { useSignal } from '@preact/signals';
import type { DeliveryView } from '../shared/wire.ts';
import { post } from './api.ts';
import { Ask, Reasons } from './ask.tsx';
import { isAssigning, notice } from './board.ts';
import { takeDelivery } from './known-deliveries.ts';
import { isOpen } from './filters.ts';
import { fieldOf } from './form.ts';
import { unassign } from './live.ts';
import { CANCEL_REASONS, REASON_WORDS, WORDS } from './words.ts';

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
            notice.value = WORDS.unassign.done;
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

function Cancel({ delivery, close }: { delivery: DeliveryView; close: () => void }) {
  const { id, status } = delivery;
  const isCollected = status === 'picked_up' || status === 'in_transit';
  return (
    <Ask
      words={isCollected ? { ...WORDS.cancel, text: WORDS.cancel.textCollected } : WORDS.cancel}
      act={async (form) => {
        takeDelivery(await post<DeliveryView>(`/deliveries/${id}/cancel`, { reason: fieldOf(form, 'reason') }));
        notice.value = WORDS.cancel.done;
      }}
      close={close}
    >
      <Reasons
        label={WORDS.cancel.reason}
        reasons={CANCEL_REASONS.map((reason) => ({ value: reason, label: REASON_WORDS[reason] }))}
      />
    </Ask>
  );
}
