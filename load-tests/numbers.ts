// Numbers and places on a command line. An invalid one is refused with a sentence.
import type { Coordinates } from '../src/domain/geo/geo.ts';

/** The number given for an option, or its default. @throws Error with a sentence for the user */
export function wholeOf(name: string, text: string | undefined, or: number, low: number, high: number): number {
  const value = text === undefined ? or : numberOf(text);
  if (!(Number.isInteger(value) && value >= low && value <= high)) {
    throw new Error(`--${name} must be a whole number from ${low} to ${high}`);
  }
  return value;
}

/** The numbers given for an option, separated by commas, or its default. @throws Error with a sentence for the user */
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

/** Like `Number`, but an empty text is NaN. */
export function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** The place given for an option. @throws Error with a sentence for the user */
export function placeOf(name: string, text: string): Coordinates {
  const [lat = Number.NaN, lng = Number.NaN, ...more] = text.split(',').map(numberOf);
  if (!(Math.abs(lat) <= 85 && Math.abs(lng) <= 180) || more.length > 0) throw new Error(`--${name} must be LAT,LNG`);
  return { lat, lng };
}
