/** What stands in names of fields, in words, times and paths. No markup, control or look-alike character is among it. */
const NOT_PLAIN = /[^A-Za-z0-9 _.:,;+=@$%!*/~()[\]-]/gu;

/**
 * Text of a caller as an answer to them may repeat it: its first characters, with `?` for each that is not plain ASCII,
 * and `…` if it goes on.
 */
export function showText(text: string, most: number): string {
  const shown = text.slice(0, most).replaceAll(NOT_PLAIN, '?');
  return text.length > most ? `${shown}…` : shown;
}
