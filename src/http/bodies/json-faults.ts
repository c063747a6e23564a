import { printParseErrorCode, visit } from 'jsonc-parser';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { pointerOf } from '../../domain/refusals/schema-errors.ts';

/**
 * Refuses a text that is not JSON, at its first fault, and one in which an object has a name twice. The parser would keep the
 * last value without a word. An empty text is a missing body.
 */
export function refuseFaults(json: string): void {
  if (json === '') return;
  const open: Set<string>[] = [];
  let repeated: readonly PropertyKey[] | undefined;
  visit(
    json,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
        const names = open.at(-1);
        if (names?.has(name) === true) repeated ??= [...pathOf(), name];
        names?.add(name);
      },
      // A text of nothing but faults would take a second.
      onError: (code, _offset, _length, line, character) => {
        const kind = printParseErrorCode(code).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`);
        const where = `Line ${line + 1}, column ${character + 1}: ${kind.toLowerCase()}.`;
        throw new Refusal('malformed_body', { detail: `The body must be valid JSON. ${where}` });
      },
    },
    { disallowComments: true },
  );
  if (repeated !== undefined) throw givenTwice(pointerOf(repeated));
}

function givenTwice(pointer: string): Refusal {
  const message = `\`${pointer}\` must be given once; the body has it more than once.`;
  return new Refusal('invalid_params', {
    detail: message,
    errors: [{ pointer, code: 'repeated_field', message }],
  });
}
