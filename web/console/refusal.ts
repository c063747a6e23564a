import { ServiceProblem } from '../../packages/client/src/problems.ts';
import type { Problem } from '../shared/wire.ts';
import { REFUSAL_WORDS, WORDS } from './words.ts';

/** Turns a refusal into a sentence that says what to do. */
export function sentenceOf({ code, reason, detail }: Pick<Problem, 'code' | 'reason' | 'detail'>): string {
  return REFUSAL_WORDS[`${code}/${reason ?? ''}`] ?? REFUSAL_WORDS[code] ?? (detail || WORDS.unknownError);
}

/** Turns any error into a sentence. */
export function explain(error: unknown): string {
  return error instanceof ServiceProblem ? sentenceOf(error.problem) : WORDS.unanswered;
}
