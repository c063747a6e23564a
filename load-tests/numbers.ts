// Numbers of a command line, refused in words when they are none or out of range.

/** A number of an option, or of its default. @throws Error with a sentence for the user */
export function wholeOf(name: string, text: string | undefined, or: number, low: number, high: number): number {
  const value = text === undefined ? or : numberOf(text);
  if (!(Number.isInteger(value) && value >= low && value <= high)) {
    throw new Error(`--${name} must be a whole number from ${low} to ${high}`);
  }
  return value;
}

/** The same of numbers with commas between them. @throws Error with a sentence for the user */
export function wholesOf(
  name: string,
  text: string | undefined,
  or: readonly number[],
  low: number,
  high: number,
): number[] {
  const values = text === undefined ? [...or] : text.split(',').map(numberOf);
  if (!values.every((value) => Number.isInteger(value) && value >= low && value <= high)) {
    throw new Error(`--${name} must be whole numbers from ${low} to ${high} with commas between them`);
  }
  return values;
}

/** What `Number` makes of a text, other than that nothing is no number. */
export function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
