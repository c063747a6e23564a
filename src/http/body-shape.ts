import { Refusal } from '../domain/refusals.ts';

/** Far more than the largest body of any route has: ten drop-offs with all their fields are 400 values. */
const MOST_VALUES = 5000;
/** The deepest field of any route lies at five. */
const MOST_DEPTH = 20;

/**
 * Refuses a body that is sound JSON and of no use to anybody: so wide or deep that looking at each of its values would
 * keep other requests waiting. Stops at the first value too many.
 */
export function refuseSprawl(body: unknown): void {
  let level: unknown[] = [body];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_DEPTH) throw tooMuch(`be nested at most ${MOST_DEPTH} levels deep`);
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const part of Object.values(value)) {
        values += 1;
        if (values > MOST_VALUES) throw tooMuch(`hold at most ${MOST_VALUES} values`);
        below.push(part);
      }
    }
    level = below;
  }
}

function tooMuch(rule: string): Refusal {
  const message = `The body must ${rule}.`;
  return new Refusal('invalid_params', { detail: message, errors: [{ pointer: '', code: 'too_big', message }] });
}
