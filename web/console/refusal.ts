import type { Problem } from '../shared/wire.ts';
import { REFUSAL_WORDS, WORDS } from './words.ts';

/** Turns a refusal into a sentence that says what to do. */
export function sentenceOf({ code, reason, detail }: Pick<Problem, 'code' | 'reason' | 'detail'>): string {
  return REFUSAL_WORDS[`${code}/${reason ?? ''}`] ?? REFUSAL_WORDS[code] ?? (detail || WORDS.unknownError);
}

/** A refusal of the server, with its problem object. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Turns any error into a sentence. */
export function explain(error: unknown): string {
  return error instanceof ProblemError ? sentenceOf(error.problem) : WORDS.unanswered;
}
