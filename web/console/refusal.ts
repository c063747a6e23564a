import type { Problem } from '../shared/wire.ts';
import { REFUSAL_WORDS, WORDS } from './words.ts';

/** A refusal as a sentence that says what to do. */
export function sentenceOf({ code, reason, detail }: Pick<Problem, 'code' | 'reason' | 'detail'>): string {
  return REFUSAL_WORDS[`${code}/${reason ?? ''}`] ?? REFUSAL_WORDS[code] ?? (detail || WORDS.unknownError);
}

/** The service said no; what it said comes along. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** What to tell of anything that went wrong. */
export function explain(error: unknown): string {
  return error instanceof ProblemError ? sentenceOf(error.problem) : WORDS.unanswered;
}
