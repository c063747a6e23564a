import { useRef } from 'preact/hooks';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { formatSpan } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { keep, readKept } from '../shared/kept.ts';
import { HELP_MINUTES, keepPromise, minutesLate, type Promised } from './promise.ts';
import { lateWords } from './saying.ts';
import { WORDS } from './words.ts';

/** Shows why the arrival is later than first promised. The promise survives a reload of the page if the browser has storage. */
export function Delay({ delivery, token }: { delivery: TrackDelivery; token: string }) {
  const key = `promised:${token}`;
  const kept = useRef<Promised | null>(null);
  kept.current ??= readPromise(key);
  const next = keepPromise(kept.current, delivery);
  if (next?.until !== kept.current?.until) keep(() => sessionStorage, key, JSON.stringify(next));
  kept.current = next;
  const minutes = minutesLate(next, delivery);
  if (minutes === 0) return null;
  return (
    <p class="late">
      <Icon name="clock" />
      <span>
        {WORDS.late(formatSpan(minutes * 60), lateWords(delivery))}
        {minutes >= HELP_MINUTES && delivery.eta !== null && `. ${WORDS.askVendor(delivery.vendor.name)}`}
      </span>
    </p>
  );
}

function readPromise(key: string): Promised | null {
  const kept = readKept(() => sessionStorage, key);
  return kept === null ? null : (JSON.parse(kept) as Promised);
}
