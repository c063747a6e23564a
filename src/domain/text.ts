import { z } from 'zod';
import { STATED } from './refusals/schema-errors.ts';

// Texts of callers, whether they come by HTTP or a socket.

const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
/** The control characters but tabs and the ends of lines. */
const CONTROL_IN_PROSE = '\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f';
/** The characters that `trim` removes, as themselves, because tools differ in how they escape them. */
const BLANK = ' \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
/** A line with at least one character that is not blank. All tools read this pattern, and it needs no flag. */
const LINE = `^[^${CONTROL}]*[^${CONTROL}${BLANK}][^${CONTROL}]*$`;
const SOUND_LINE = new RegExp(LINE, 'u');
const PROSE = `^[^${CONTROL_IN_PROSE}]*$`;
const SOUND_PROSE = new RegExp(PROSE, 'u');

/** Half of a character, which the database would replace. */
const HALF = /\p{Surrogate}/u;

/** Embeddings, overrides and isolates. With them a text shows other words, or in another order, than it has. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** The text without them. They are not refused, because phones add them to numbers and names that people copy. */
function straight(text: string): string {
  return text.replaceAll(TURNS, '');
}

/** Whether the text has this many characters. JSON Schema counts whole characters, and JavaScript counts halves of some. */
function isOfLength(text: string, least: number, most: number): boolean {
  if (text.length > 2 * most) return false;
  const { length } = Array.from(text);
  return length >= least && length <= most;
}

/** One line of text without control characters. Blanks at its ends count for its length, and are then removed. */
export const textOf = (most: number): z.ZodString => {
  const rule = `must be a string of 1 to ${most} whole characters without control characters`;
  return z
    .string()
    .refine((text) => isOfLength(text, 1, most) && !HALF.test(text) && SOUND_LINE.test(text), {
      error: rule,
      ...STATED,
      abort: true,
    })
    .overwrite(straight)
    .trim()
    .refine((text) => text !== '', 'must have a character that people see')
    .meta({ minLength: 1, maxLength: most, pattern: LINE });
};

/** Text of any number of lines, possibly empty. Blanks at its ends count for its length, and are then removed. */
export const proseOf = (most: number): z.ZodString => {
  const rule = `must be a string of at most ${most} whole characters without control characters but tabs and ends of lines`;
  return z
    .string()
    .refine((text) => isOfLength(text, 0, most) && !HALF.test(text) && SOUND_PROSE.test(text), {
      error: rule,
      ...STATED,
    })
    .overwrite(straight)
    .trim()
    .meta({ maxLength: most, pattern: PROSE });
};

/** Text for programs, which stays as it is. */
export const exactOf = (most: number): z.ZodString =>
  z
    .string()
    .refine((text) => isOfLength(text, 0, most) && !HALF.test(text), {
      error: `must be a string of at most ${most} whole characters`,
      ...STATED,
    })
    .meta({ maxLength: most });
