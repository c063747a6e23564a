/** All characters but those of field names, words, times and paths. Markup, control and look-alike characters are among them. */
const NOT_PLAIN = /[^A-Za-z0-9 _.:,;+=@$%!*/~()[\]-]/gu;

/**
 * Shortens text of a caller so that an answer can repeat it. Each unusual character becomes `?`, and `…` marks a text
 * that was cut.
 */
export function showText(text: string, most: number): string {
  const shown = text.slice(0, most).replaceAll(NOT_PLAIN, '?');
  return text.length > most ? `${shown}…` : shown;
}

/** A number with its noun: 1 item, 2 items. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
