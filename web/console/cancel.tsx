import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CancelPreview } from '../../packages/client/src/generated/types.ts';
import { formatMoney } from '../shared/format.ts';
import type { DeliveryView } from '../shared/wire.ts';
import { get, post } from './api.ts';
import { Ask, Reasons } from './ask.tsx';
import { isAssigning, tell } from './board.ts';
import { fieldOf } from './form.ts';
import { takeDelivery } from './known-deliveries.ts';
import { CANCEL_REASONS, REASON_WORDS, WORDS } from './words.ts';

const REASONS = CANCEL_REASONS.map((reason) => ({ value: reason, label: REASON_WORDS[reason] }));

/** The terms of a cancel: null while they are read. Without an answer there are none, and the cancel accepts any fee. */
type Terms = CancelPreview | 'unknown' | null;

/** After this time the question does without an answer, ms. */
const MOST_READ_MS = 3000;
/** The terms are read again at least this often, ms, because they change with the time. */
const READ_EVERY_MS = 10_000;

/** Asks for the reason of a cancel and shows what it costs the vendor. The server refuses a higher fee. */
export function Cancel({ delivery, close }: { delivery: DeliveryView; close: () => void }) {
  const { id, status, version } = delivery;
  const reason = useSignal<string>(CANCEL_REASONS[0]);
  const terms = useSignal<Terms>(null);
  const refusals = useSignal(0);
  useEffect(() => {
    let isOld = false;
    terms.value = null;
    const read = async (): Promise<void> => {
      const told = await readTerms(id, reason.value);
      if (!isOld) terms.value = told;
    };
    void read();
    const timer = setInterval(() => void read(), READ_EVERY_MS);
    return () => {
      isOld = true;
      clearInterval(timer);
    };
  }, [id, version, reason.value, refusals.value]);
  const isCollected = status === 'picked_up' || status === 'in_transit';
  return (
    <Ask
      words={isCollected ? { ...WORDS.cancel, text: WORDS.cancel.textCollected } : WORDS.cancel}
      isReady={mayConfirm(terms.value)}
      act={async (form) => {
        const body = { reason: fieldOf(form, 'reason'), ...acceptedFee(terms.value) };
        const wasAssigning = isAssigning.value;
        // Open candidates would announce the end of the delivery too.
        isAssigning.value = false;
        try {
          takeDelivery(await post<DeliveryView>(`/deliveries/${id}/cancel`, 'delivery', body));
        } catch (error) {
          refusals.value += 1;
          isAssigning.value = wasAssigning;
          throw error;
        }
        tell(WORDS.cancel.done);
      }}
      close={close}
    >
      <Reasons label={WORDS.cancel.reason} reasons={REASONS} onChange={(chosen) => (reason.value = chosen)} />
      <p role="status">{feeWords(terms.value)}</p>
    </Ask>
  );
}

async function readTerms(id: DeliveryView['id'], reason: string): Promise<CancelPreview | 'unknown'> {
  const late = new Promise<'unknown'>((resolve) => setTimeout(resolve, MOST_READ_MS, 'unknown'));
  const read = get<CancelPreview>(`/deliveries/${id}/cancel-preview?reason=${reason}`, 'cancel_preview');
  return Promise.race([read.catch(() => 'unknown' as const), late]);
}

function mayConfirm(terms: Terms): boolean {
  return terms === 'unknown' || terms?.allowed === true;
}

function acceptedFee(terms: Terms): { accept_fee?: number } {
  return terms === null || terms === 'unknown' || terms.fee === null ? {} : { accept_fee: terms.fee };
}

function feeWords(terms: Terms): string {
  const { reading, unknown, refused, free, fee } = WORDS.cancel.fees;
  if (terms === null) return reading;
  if (terms === 'unknown') return unknown;
  if (terms.fee === null) return refused;
  return terms.fee === 0 ? free : fee(formatMoney(terms.fee, terms.currency));
}
