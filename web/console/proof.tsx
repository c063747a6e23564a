import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatWhen } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import type { DeliveryView, StopView } from '../shared/wire.ts';
import { get } from './api.ts';
import { endsSoon, type FileLink } from './file-links.ts';
import { RELOAD_MS, serviceNow } from './live.ts';
import { explain } from './refusal.ts';
import { WORDS } from './words.ts';

type ProofFile = FileLink & { readonly file_id: string };

/** The proof of one stop, as `GET /deliveries/{id}/proof` lists it. */
export type StopProof = {
  readonly stop: number;
  readonly pictures: readonly ProofFile[];
  readonly signature: {
    readonly picture: ProofFile | null;
    readonly name: string | null;
    readonly relationship: string | null;
  } | null;
  readonly pin: { readonly at: string | null } | null;
  readonly barcodes: readonly { readonly value: string; readonly at: string }[];
  readonly identification: { readonly at: string | null } | null;
};

type ListedProof = { readonly object: 'delivery_proof'; readonly stops: readonly StopProof[] };
export type Proofs = { readonly stops: readonly StopProof[]; readonly mistake: string | null };
const NONE: Proofs = { stops: [], mistake: null };

/** The proof of a delivery. It is read again after each change of the delivery, when its links end, and when it could not be read. */
export function useProofs({ id, version, pickup, drop_off: dropOffs }: DeliveryView): Signal<Proofs> {
  const proofs = useSignal<Proofs>(NONE);
  const hasBegun = [pickup, ...dropOffs].some(
    ({ proof_status: status }) => status === 'begun' || status === 'complete',
  );
  useEffect(() => {
    if (!hasBegun) {
      proofs.value = NONE;
      return undefined;
    }
    let isCurrent = true;
    const show = (next: Proofs): void => void (isCurrent && (proofs.value = next));
    const read = (): void => {
      get<ListedProof>(`/deliveries/${id}/proof`, 'delivery_proof').then(
        ({ stops }) => show({ stops, mistake: null }),
        (error: unknown) => show({ ...proofs.peek(), mistake: explain(error) }),
      );
    };
    read();
    const timer = setInterval(() => isDue(proofs.peek()) && read(), RELOAD_MS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [id, version, hasBegun]);
  return proofs;
}

function isDue({ stops, mistake }: Proofs): boolean {
  const files = stops.flatMap(({ pictures, signature }) => [...pictures, signature?.picture ?? []].flat());
  return mistake !== null || files.some(endsSoon);
}

type Part = { readonly label: string; readonly doneAt: string | null; readonly isDone: boolean };

/** The required parts of a stop, each with whether it was given, and the parts that were given without need. */
function partsOf({ verification: wanted }: StopView, proof: StopProof | null): Part[] {
  const { proof: words } = WORDS.detail;
  const part = (isThere: boolean, label: string, isDone: boolean, doneAt: string | null = null): Part[] =>
    isThere ? [{ label, isDone, doneAt }] : [];
  const photos = proof?.pictures.length ?? 0;
  const signature = proof?.signature ?? null;
  const signer = [signature?.name, signature?.relationship].filter((text) => text != null).join(', ');
  const scanned = new Map(proof?.barcodes.map(({ value, at }) => [value, at]));
  return [
    ...part(wanted?.picture === true || photos > 0, words.photos(photos), photos > 0),
    ...part(
      wanted?.signature.enabled === true || signature !== null,
      words.signature(signer),
      (signature?.picture ?? null) !== null,
    ),
    ...part(
      wanted?.pin.enabled === true,
      words.pin(wanted?.pin.value ?? null),
      (proof?.pin?.at ?? null) !== null,
      proof?.pin?.at,
    ),
    ...(wanted?.barcodes ?? []).flatMap(({ value }) =>
      part(true, words.barcode(value), scanned.has(value), scanned.get(value)),
    ),
    ...part(
      (wanted?.identification ?? null) !== null,
      words.age(wanted?.identification?.min_age ?? 0),
      (proof?.identification?.at ?? null) !== null,
      proof?.identification?.at,
    ),
  ];
}

/** The proof that a stop requires, and what the courier has given of it. */
export function Proof({ stop, proof }: { stop: StopView; proof: StopProof | null }) {
  const parts = partsOf(stop, proof);
  if (parts.length === 0) return null;
  const { proof: words } = WORDS.detail;
  const signature = proof?.signature?.picture ?? null;
  return (
    <div class="proof">
      <ul aria-label={words.heading}>
        {parts.map(({ label, isDone, doneAt }) => (
          <li key={label} class={isDone ? 'proof-done' : 'quiet'}>
            {isDone ? <Icon name="check" /> : <Icon name="close" />}
            {label}
            {': '}
            {isDone ? words.given : words.missing}
            {doneAt !== null && ` ${formatWhen(Date.parse(doneAt), serviceNow())}`}
          </li>
        ))}
      </ul>
      <p class="proof-pictures">
        {proof?.pictures.map((file, index) => (
          <Picture key={file.file_id} file={file} label={words.photo(index + 1)} />
        ))}
        {signature !== null && <Picture file={signature} label={words.signaturePicture} />}
      </p>
    </div>
  );
}

/** A picture that opens in another tab. */
function Picture({ file, label }: { file: FileLink; label: string }) {
  const path = new URL(file.url).pathname;
  return (
    <a href={path} target="_blank" rel="noreferrer">
      <img src={path} alt={label} width={72} height={72} loading="lazy" />
    </a>
  );
}
