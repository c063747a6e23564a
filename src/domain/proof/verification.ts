import type { Coordinates } from '../geo/geo.ts';
import type { FileId, ProofId } from '../ids.ts';

export const BARCODE_TYPES = ['CODE39', 'CODE39_FULL_ASCII', 'CODE128', 'QR'] as const;
export const PIN_TYPES = ['random', 'phone_last4', 'merchant_provided'] as const;
export type PinType = (typeof PIN_TYPES)[number];

/** Whether the courier meets the recipient, or leaves the goods there and takes a photo. */
export const DELIVERABLE_ACTIONS = ['meet_at_door', 'leave_at_door'] as const;
export type DeliverableAction = (typeof DELIVERABLE_ACTIONS)[number];

/** Barcodes that one stop may require. */
export const MOST_BARCODES = 20;
/** Wrong PINs after which only staff may end the stop. */
export const MOST_PIN_TRIES = 5;
/** Files that the proof of one stop may have. */
export const MOST_PROOF_FILES = 10;

export type Barcode = { readonly value: string; readonly type: (typeof BARCODE_TYPES)[number] };

/** The proof that a vendor requires at a stop. `pin` differs between a request and a stored delivery. */
type Requirements<Pin> = {
  readonly picture: boolean;
  readonly signature: { readonly collectName: boolean; readonly collectRelationship: boolean } | null;
  readonly pin: Pin | null;
  readonly barcodes: readonly Barcode[];
  /** The age in years that the recipient must have shown; null if it does not matter. */
  readonly minAge: number | null;
};

/** The requirements of a request. `value` is the PIN that the vendor gives. */
export type NewVerification = Requirements<{ readonly type: PinType; readonly value: string | null }>;

/** Requirements that ask for nothing. */
export const NO_PROOF: NewVerification = { picture: false, signature: null, pin: null, barcodes: [], minAge: null };

/** Requirements to add to those of a stop. Absent ones stay. `false` and null ask for nothing. */
export type ProofDemands = {
  readonly picture?: boolean;
  readonly signature?: { readonly collectName?: boolean; readonly collectRelationship?: boolean } | null;
  readonly pin?: NewVerification['pin'];
  readonly barcodes?: readonly Barcode[];
  readonly minAge?: number | null;
};

/** Stored requirements. `sealed` is the encrypted PIN; null if the PIN follows from the phone of the contact. */
export type Verification = Requirements<{ readonly type: PinType; readonly sealed: string | null }>;

/** The proof that the courier has given at a stop. Times are service time in ms. */
export type StopProof = {
  readonly id: ProofId;
  readonly photos: readonly FileId[];
  readonly signature: FileId | null;
  readonly signer: { readonly name: string | null; readonly relationship: string | null };
  /** `lastWrong` is the wrong PIN that was entered last, encrypted. */
  readonly pin: { readonly verifiedAt: number | null; readonly wrongTries: number; readonly lastWrong?: string };
  /** The barcodes of the stop that were scanned. */
  readonly barcodes: readonly { readonly value: string; readonly at: number }[];
  readonly ageVerifiedAt: number | null;
  /** When and where the last part was recorded. The place is the courier's newest position; null if unknown. */
  readonly at: number;
  readonly place: Coordinates | null;
};

/** Parts of a proof that the courier reports. Absent parts stay as they are. */
export type GivenProof = {
  readonly files?: readonly FileId[];
  readonly pin?: string;
  readonly signatureName?: string;
  readonly signatureRelationship?: string;
  readonly barcodes?: readonly string[];
  readonly ageVerified?: boolean;
};

/** A proof that has nothing yet. */
export function emptyProof(id: ProofId, at: number): StopProof {
  return {
    id,
    photos: [],
    signature: null,
    signer: { name: null, relationship: null },
    pin: { verifiedAt: null, wrongTries: 0 },
    barcodes: [],
    ageVerifiedAt: null,
    at,
    place: null,
  };
}

/** The files of a proof. */
export function filesOf({ photos, signature }: Pick<StopProof, 'photos' | 'signature'>): FileId[] {
  return signature === null ? [...photos] : [...photos, signature];
}

/** The part of a stop that proof is about. */
export type Provable = { readonly verification?: Verification; readonly proof?: StopProof };

export const PROOF_PARTS = [
  'picture',
  'signature',
  'signature_name',
  'signature_relationship',
  'pin',
  'barcodes',
  'identification',
] as const;
export type ProofPart = (typeof PROOF_PARTS)[number];

/** Says for each part whether the stop requires it and the proof lacks it. */
// One row per line: this is a table.
// oxfmt-ignore
const LACKS: { readonly [P in ProofPart]: (wanted: Verification, proof: StopProof | undefined) => boolean } = {
  picture:                (wanted, proof) => wanted.picture && (proof?.photos.length ?? 0) === 0,
  signature:              (wanted, proof) => wanted.signature !== null && (proof?.signature ?? null) === null,
  signature_name:         (wanted, proof) => wanted.signature?.collectName === true && (proof?.signer.name ?? null) === null,
  signature_relationship: (wanted, proof) => wanted.signature?.collectRelationship === true && (proof?.signer.relationship ?? null) === null,
  pin:                    (wanted, proof) => wanted.pin !== null && (proof?.pin.verifiedAt ?? null) === null,
  barcodes:               (wanted, proof) => wanted.barcodes.some(({ value }) => proof?.barcodes.some((scan) => scan.value === value) !== true),
  identification:         (wanted, proof) => wanted.minAge !== null && (proof?.ageVerifiedAt ?? null) === null,
};

/** The parts that the stop requires and that are still missing. */
export function missingProof({ verification, proof }: Provable): ProofPart[] {
  if (verification === undefined) return [];
  return PROOF_PARTS.filter((part) => LACKS[part](verification, proof));
}

/** Says whether the courier has begun to prove the handover at this stop. */
export function hasBegunProof({ proof }: Provable): boolean {
  return proof !== undefined;
}

/** Says whether too many wrong PINs were entered at this stop. */
export function isPinLocked({ proof }: Provable): boolean {
  return proof !== undefined && proof.pin.verifiedAt === null && proof.pin.wrongTries >= MOST_PIN_TRIES;
}

export const PROOF_STATUSES = ['not_required', 'required', 'begun', 'complete'] as const;
export type ProofStatus = (typeof PROOF_STATUSES)[number];

/** How far the proof of a stop is. */
export function proofStatusOf(stop: Provable): ProofStatus {
  if (stop.verification === undefined) return hasBegunProof(stop) ? 'complete' : 'not_required';
  if (missingProof(stop).length === 0) return 'complete';
  return hasBegunProof(stop) ? 'begun' : 'required';
}
