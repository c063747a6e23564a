import { Refusal } from '../../domain/refusals/refusals.ts';

/** Far more than the largest body of any route has: ten drop-offs with all their fields are 400 values. */
const MOST_VALUES = 5000;
/** The deepest field of any route lies at five. */
const MOST_DEPTH = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSERS: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Refuses a JSON text that is of no use to anybody: so wide or deep that parsing it would keep other requests waiting.
 * Parsing 230 KB of brackets takes 30 ms; this takes 0.1 ms, since it stops at the first value too many.
 * @param json UTF-8
 */
export function refuseSprawl(json: Uint8Array): void {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA) values += 1;
    else if (CLOSERS.has(byte)) depth -= 1;
    else if (OPENERS.has(byte)) {
      values += 1;
      depth += 1;
      if (depth > MOST_DEPTH) throw tooMuch(`be nested at most ${MOST_DEPTH} levels deep`);
    }
    if (values > MOST_VALUES) throw tooMuch(`hold at most ${MOST_VALUES} values`);
  }
}

/** Where the string that begins here ends: nothing in it counts. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

function tooMuch(rule: string): Refusal {
  return new Refusal('payload_too_large', { detail: `The body must ${rule}.` });
}
