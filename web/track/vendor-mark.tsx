import { useSignal } from '@preact/signals';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { WORDS } from './words.ts';

type Props = { readonly vendor: TrackDelivery['vendor']; readonly token: string };

/** The logo of the vendor, or the first letter of their name without a logo that the browser can show. */
export function VendorMark({ vendor: { name, logo }, token }: Props) {
  const broken = useSignal<string | null>(null);
  if (logo === null || broken.value === logo) {
    return (
      <span class="vendor-mark" aria-hidden="true">
        {name.slice(0, 1)}
      </span>
    );
  }
  return (
    <img
      class="vendor-logo"
      // The id is in the address so that a browser does not show an old logo that it has kept.
      src={`/t/${token}/logo?v=${logo}`}
      alt={WORDS.logo(name)}
      onError={() => {
        broken.value = logo;
      }}
    />
  );
}
