import type { Stop } from '../../../domain/deliveries/stops/stop.ts';
import { sealPin } from '../../../domain/proof/pin.ts';
import {
  MOST_BARCODES,
  NO_PROOF,
  type Barcode,
  type ProofDemands,
  type Verification,
} from '../../../domain/proof/verification.ts';
import { refuseField, type Refusal } from '../../../domain/refusals/refusals.ts';
import type { Context } from '../../../ports/context.ts';
import { refuseUpdate } from '../refuse-change.ts';

type Needs = Pick<Context, 'vault'>;

/**
 * The requirements of a stop with these demands added. Refuses `update_not_allowed` if a demand would lower one, and
 * proof that needs the recipient if the courier leaves the goods without meeting them.
 * @param pointer the requirements in the body of the request
 */
export function demandProof(
  { vault }: Needs,
  { verification = NO_STORED, deliverableAction }: Stop,
  demands: ProofDemands,
  pointer: string,
): Verification {
  const raised: Verification = {
    picture: higher(verification.picture, demands.picture, `${pointer}/picture`),
    signature: signatureOf(verification.signature, demands.signature, `${pointer}/signature`),
    pin: pinOf(vault, verification.pin, demands.pin, `${pointer}/pin`),
    barcodes: barcodesOf(verification.barcodes, demands.barcodes ?? [], `${pointer}/barcodes`),
    minAge: ageOf(verification.minAge, demands.minAge, `${pointer}/identification/min_age`),
  };
  if (deliverableAction === 'leave_at_door') refuseMeeting(raised, pointer);
  return raised;
}

const NO_STORED: Verification = { ...NO_PROOF, pin: null };

function lowered(pointer: string, rule: string): Refusal {
  const detail = `\`${pointer}\` can only become stricter: ${rule}.`;
  return refuseUpdate('verification_lowered', {
    detail,
    errors: [{ pointer, code: 'verification_lowered', message: detail }],
  });
}

function higher(had: boolean, wanted: boolean | undefined, pointer: string): boolean {
  if (had && wanted === false) throw lowered(pointer, 'the stop requires it already');
  return had || wanted === true;
}

function signatureOf(
  had: Verification['signature'],
  wanted: ProofDemands['signature'],
  pointer: string,
): Verification['signature'] {
  if (wanted === undefined) return had;
  if (wanted === null) return had === null ? null : lowerTo(pointer, 'the stop requires a signature already');
  return {
    collectName: higher(had?.collectName ?? false, wanted.collectName, `${pointer}/collect_name`),
    collectRelationship: higher(
      had?.collectRelationship ?? false,
      wanted.collectRelationship,
      `${pointer}/collect_relationship`,
    ),
  };
}

function pinOf(
  vault: Needs['vault'],
  had: Verification['pin'],
  wanted: ProofDemands['pin'],
  pointer: string,
): Verification['pin'] {
  if (wanted === undefined) return had;
  if (had === null) return sealPin(vault, { ...NO_PROOF, pin: wanted }).pin;
  const isSame = wanted?.type === had.type && (wanted.value === null || wanted.value === opened(vault, had));
  return isSame ? had : lowerTo(pointer, 'the stop has a PIN, which cannot be replaced');
}

function opened(vault: Needs['vault'], { sealed }: NonNullable<Verification['pin']>): string | null {
  return sealed === null ? null : vault.open(sealed);
}

function barcodesOf(had: readonly Barcode[], wanted: readonly Barcode[], pointer: string): readonly Barcode[] {
  const all = [...had, ...wanted.filter(({ value }) => had.every((known) => known.value !== value))];
  if (all.length <= MOST_BARCODES) return all;
  const rule = `must leave at most ${MOST_BARCODES} barcodes, and the stop requires ${had.length} already`;
  throw refuseField(pointer, 'too_big', rule);
}

function ageOf(had: number | null, wanted: number | null | undefined, pointer: string): number | null {
  if (wanted === undefined) return had;
  if (had !== null && (wanted ?? 0) < had) throw lowered(pointer, `the stop requires an age of ${had} already`);
  return wanted;
}

function lowerTo(pointer: string, rule: string): never {
  throw lowered(pointer, rule);
}

function refuseMeeting({ signature, pin, minAge }: Verification, pointer: string): void {
  for (const [field, wanted] of Object.entries({ signature, pin, identification: minAge })) {
    if (wanted === null) continue;
    const rule = 'must be left out, because `deliverable_action` is `leave_at_door`';
    throw refuseField(`${pointer}/${field}`, 'leave_at_door', rule);
  }
}
