import { EngineError } from '../embedded/processes/engine-error.ts';
import { MONGODB } from '../engines/away.ts';
import { EngineAway } from '../engines/engine-away.ts';
import { REDIS } from '../engines/redis/redis-away.ts';
import { StartError } from './start-error.ts';

/** Errors that the operator can correct: they need the sentence, not the stack. */
const MENDABLE = [StartError, EngineError, EngineAway];

/** Why the process ends: one sentence, or the stack of an error that no operator can correct. */
export function explainEnd(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Why a start failed. If an engine answered at first and is lost, the server has no fault, and another start may succeed. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error) || MENDABLE.some((kind) => error instanceof kind)) return explainEnd(error);
  // The text of a refusal is for callers. Its cause is the error of the engine.
  for (const cause of [error, error.cause]) {
    const lost = lostBy(cause);
    if (lost !== null)
      return `${lost} was lost during the start: ${(cause as Error).message.replace(/\.$/, '')}. Start the server again.`;
  }
  return explainEnd(error);
}

function lostBy(cause: unknown): string | null {
  // An error of the system may come from any connection or file, and only a closed connection is surely one of an engine.
  if (cause instanceof Error && 'syscall' in cause)
    return MONGODB.isAway(cause) ? 'A connection to MongoDB or Redis' : null;
  return [MONGODB, REDIS].find(({ isAway }) => isAway(cause))?.name ?? null;
}
