import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CancelPreview } from '../../packages/client/src/generated/types.ts';
import { formatMoney } from '../shared/format.ts';
import type { DeliveryView } from '../shared/wire.ts';
import { get, post } from './api.ts';
import { Ask, Reasons } from './ask.tsx';
import { notice } from './board.ts';
import { fieldOf } from './form.ts';
import { takeDelivery } from './known-deliveries.ts';
import { serviceNow } from './live.ts';
import { CANCEL_REASONS, REASON_WORDS, WORDS } from './words.ts';

const REASONS = CANCEL_REASONS.map((reason) => ({ value: reason, label: REASON_WORDS[reason] }));

/** The terms of a cancel: null while they are read. Without an answer there are none, and the cancel accepts any fee. */
type Terms = CancelPreview | 'unknown' | null;

/** Asks for the reason of a cancel and shows what it costs the vendor. The server refuses a higher fee. */
export function Cancel({ delivery, close }: { delivery: DeliveryView; close: () => void }) {
  const { id, status, version } = delivery;
  const reason = useSignal<string>(CANCEL_REASONS[0]);
  const terms = useSignal<Terms>(null);
  const reads = useSignal(0);
  const readAgain = (): void => {
    reads.value += 1;
  };
  useEffect(() => {
    let isOld = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    terms.value = null;
    void readTerms(id, reason.value).then((read) => {
      if (isOld) return;
      terms.value = read;
      if (read !== 'unknown') timer = setTimeout(readAgain, lifeMs(read));
    });
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [id, version, reason.value, reads.value]);
  const isCollected = status === 'picked_up' || status === 'in_transit';
  return (
    <Ask
      words={isCollected ? { ...WORDS.cancel, text: WORDS.cancel.textCollected } : WORDS.cancel}
      isReady={terms.value !== null}
      act={async (form) => {
        const body = { reason: fieldOf(form, 'reason'), ...acceptedFee(terms.value) };
        try {
          takeDelivery(await post<DeliveryView>(`/deliveries/${id}/cancel`, body));
        } catch (error) {
          readAgain();
          throw error;
        }
        notice.value = WORDS.cancel.done;
      }}
      close={close}
    >
      <Reasons label={WORDS.cancel.reason} reasons={REASONS} onChange={(chosen) => (reason.value = chosen)} />
      <p class="cancel-fee" role="status">
        {feeWords(terms.value)}
      </p>
    </Ask>
  );
}

function readTerms(id: DeliveryView['id'], reason: string): Promise<CancelPreview | 'unknown'> {
  return get<CancelPreview>(`/deliveries/${id}/cancel-preview?reason=${reason}`).catch(() => 'unknown' as const);
}

/** How long the terms hold, ms. Reads are a second apart, also if the clocks differ. */
function lifeMs({ valid_until: until }: CancelPreview): number {
  return Math.max(Date.parse(until) - serviceNow(), 1000);
}

function acceptedFee(terms: Terms): { accept_fee?: number } {
  return terms === null || terms === 'unknown' || terms.fee === null ? {} : { accept_fee: terms.fee };
}

function feeWords(terms: Terms): string {
  const { reading, unknown, free, fee } = WORDS.cancel.fees;
  if (terms === null) return reading;
  if (terms === 'unknown' || terms.fee === null) return unknown;
  return terms.fee === 0 ? free : fee(formatMoney(terms.fee, terms.currency));
}
