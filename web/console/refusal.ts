import { ServiceProblem } from '../../packages/client/src/problems.ts';
import type { Problem } from '../shared/wire.ts';
import { WORDS } from './words.ts';

/** The meaning of a refusal in the console, and what to do. Other refusals are shown in the server's sentence. */
const REFUSAL_WORDS: Partial<Record<Problem['code'] | `${Problem['code']}/${string}`, string>> = {
  already_assigned: 'Another courier is assigned already. To change the courier, unassign them first.',
  courier_unavailable: 'This courier cannot take it now. Choose another one.',
  'courier_unavailable/offline': 'This courier has gone offline. Choose another one.',
  'courier_unavailable/at_capacity': 'This courier cannot carry another delivery. Choose another one.',
  'courier_unavailable/wrong_kind': 'This courier does not carry deliveries of this kind. Choose another one.',
  courier_not_verified: 'This courier is not active. Activate the profile first, or choose another one.',
  courier_not_found: 'This courier does not exist. Choose another one.',
  courier_excluded: 'This courier gave this delivery back. Choose another one.',
  invalid_state_transition: 'The state of the delivery no longer allows this. See its state above.',
  delivery_complete: 'The delivery has ended and can no longer be changed.',
  history_expired: 'The delivery ended so long ago that its events have been removed.',
  delivery_not_found: 'This delivery does not exist.',
  cancellation_fee_changed: 'The fee has changed meanwhile. Check it and confirm again.',
  document_decided: 'A colleague was faster. Go back to see what they did.',
  stale_version: 'This has changed meanwhile. Go back, check it and decide again.',
  forbidden: 'Your role does not allow this. Ask a dispatcher.',
  busy: 'The server is too busy. Try again in a moment.',
  too_many_requests: 'Too many requests. Wait a moment and try again.',
};

/** Turns a refusal into a sentence that says what to do. */
export function sentenceOf({ code, reason, detail }: Pick<Problem, 'code' | 'reason' | 'detail'>): string {
  return REFUSAL_WORDS[`${code}/${reason ?? ''}`] ?? REFUSAL_WORDS[code] ?? (detail || WORDS.unknownError);
}

/** Turns any error into a sentence. */
export function explain(error: unknown): string {
  return error instanceof ServiceProblem ? sentenceOf(error.problem) : WORDS.unanswered;
}
