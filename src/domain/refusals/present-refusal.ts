import { REFUSALS, type FieldError, type Problem, type Refusal, type RefusalRow } from './refusals.ts';
import { showText } from './shown-text.ts';

/** Most characters of a path in a problem: enough for the longest route with its id. */
const MOST_OF_INSTANCE = 128;

/** Creates the problem object of a refusal. `instance` is the path or the message that it answers. */
export function presentRefusal(refusal: Refusal, requestId: string, instance?: string): Problem {
  const row: RefusalRow = REFUSALS[refusal.code];
  const { reason, metadata } = refusal.told;
  const errors = refusal.told.errors ?? errorsOf(refusal, row.field);
  return {
    type: `/docs/problems/${refusal.code}`,
    title: row.title,
    status: row.status,
    detail: refusal.message,
    ...(instance === undefined ? {} : { instance: showText(instance, MOST_OF_INSTANCE) }),
    code: refusal.code,
    ...(reason === undefined ? {} : { reason }),
    ...(errors.length === 0 ? {} : { errors }),
    ...(metadata === undefined ? {} : { metadata }),
    retryable: row.retryable === true,
    request_id: requestId,
  };
}

function errorsOf({ code, message }: Refusal, pointer: string | undefined): FieldError[] {
  return pointer === undefined ? [] : [{ pointer, code, message }];
}
