import { printParseErrorCode, visit, type JSONVisitor } from 'jsonc-parser';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { pointerOf } from '../../domain/refusals/schema-errors.ts';

/** The first fault of a text that is not JSON. */
class Fault extends Error {}

/**
 * Refuses a JSON text in which an object has a name twice. The parser would keep the last value without a word. A text that
 * is not JSON is left to the parser.
 */
export function refuseRepeats(json: string): void {
  const open: Set<string>[] = [];
  let repeated: readonly PropertyKey[] | undefined;
  const fault = walk(json, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
      const names = open.at(-1);
      if (names?.has(name) === true) repeated ??= [...pathOf(), name];
      names?.add(name);
    },
  });
  if (fault !== null || repeated === undefined) return;
  const pointer = pointerOf(repeated);
  const message = `\`${pointer}\` must be given once; the body has it more than once.`;
  throw new Refusal('invalid_params', {
    detail: message,
    errors: [{ pointer, code: 'repeated_field', message }],
  });
}

/** The place of the first fault of a text that is not JSON, and its kind: "Line 1, column 8: comma expected." */
export function faultOf(text: string): string {
  return walk(text, {})?.message ?? 'It could not be parsed.';
}

/** Visits a JSON text up to its first fault. A text of nothing but faults would take a second. */
function walk(text: string, visitor: JSONVisitor): Fault | null {
  const onError: JSONVisitor['onError'] = (code, _offset, _length, line, character) => {
    const kind = printParseErrorCode(code).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`);
    throw new Fault(`Line ${line + 1}, column ${character + 1}: ${kind.toLowerCase()}.`);
  };
  try {
    visit(text, { ...visitor, onError }, { disallowComments: true });
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
