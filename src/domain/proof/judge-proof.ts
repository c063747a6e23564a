import type { ActorType } from '../deliveries/states.ts';
import { refuseField, type No } from '../refusals/refusals.ts';
import { isPinLocked, missingProof, MOST_PIN_TRIES, MOST_PROOF_FILES, type Provable } from './verification.ts';

/** Guards the end of a stop: its proof must be complete. Staff may end it without proof if they give a reason. */
export function judgeProof(
  stop: Provable & { readonly index: number },
  overrideReason: string | null,
  by: ActorType,
): No | null {
  if (by === 'staff' && overrideReason !== null) return null;
  const missing = missingProof(stop);
  if (missing.length === 0) return null;
  if (missing.includes('pin') && isPinLocked(stop)) return pinLocked(stop.index);
  const detail = `Stop ${stop.index} still needs proof: ${missing.map((part) => `\`${part}\``).join(', ')}.`;
  return { code: 'proof_required', detail, metadata: { stop: stop.index, missing } };
}

/** Refuses `too_many` if the proof of a stop would have more files than it may. */
export function refuseManyFiles(photos: number, hasSignature: boolean, pointer: string): void {
  if (photos + (hasSignature ? 1 : 0) <= MOST_PROOF_FILES) return;
  throw refuseField(pointer, 'too_many', `must leave at most ${MOST_PROOF_FILES} files at the stop`);
}

/** The refusal after too many wrong PINs. */
export function pinLocked(index: number): No & { detail: string } {
  const detail = `${MOST_PIN_TRIES} wrong PINs were entered at stop ${index}. Staff can end the stop with an \`override_reason\`.`;
  return { code: 'pin_locked', detail, metadata: { stop: index } };
}
