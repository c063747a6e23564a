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
const PROSE = `^[^${CONTROL_IN_PROSE}]*$`;

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

type Rule = { readonly least: number; readonly most: number; readonly pattern: string; readonly rule: string };

function readable({ least, most, pattern, rule }: Rule): z.ZodString {
  const sound = new RegExp(pattern, 'u');
  return z
    .string()
    .refine((text) => isOfLength(text, least, most) && isWhole(text) && sound.test(text), {
      error: rule,
      ...STATED,
      abort: true,
    })
    .overwrite(straight)
    .trim()
    .refine((text) => least === 0 || text !== '', 'must have a character that people see')
    .meta({ ...(least === 0 ? {} : { minLength: least }), maxLength: most, pattern });
}

/** One line of text without control characters. Blanks at its ends count for its length, and are then removed. */
export const textOf = (most: number): z.ZodString =>
  readable({
    least: 1,
    most,
    pattern: LINE,
    rule: `must be a string of 1 to ${most} whole characters without control characters`,
  });

/**
 * Text of any number of lines. Blanks at its ends count for its length, and are then removed.
 * @param least 0 if the text may be empty, otherwise 1
 */
export const proseOf = (most: number, least = 0): z.ZodString =>
  readable({
    least,
    most,
    pattern: PROSE,
    rule: `must be a string of ${least === 0 ? 'at most' : `${least} to`} ${most} whole characters without control characters but tabs and ends of lines`,
  });

/** Whether a text has no half of a character. */
function isWhole(text: string): boolean {
  return !HALF.test(text);
}

const WEB_URL = 'must be an http or https URL of at most 2048 whole characters without control characters';
const UNCONTROLLED = new RegExp(`^[^${CONTROL}]*$`);

/** The URL of a page or of a receiver. A URL cannot say half of a character, so the request would go elsewhere. */
export const WebUrl = z
  .url({ protocol: /^https?$/, error: WEB_URL })
  .max(2048, WEB_URL)
  .refine((text) => isWhole(text) && UNCONTROLLED.test(text), { error: WEB_URL, ...STATED });

/** Text for programs, which stays as it is. */
export const exactOf = (most: number): z.ZodString =>
  z
    .string()
    .refine((text) => isOfLength(text, 0, most) && isWhole(text), {
      error: `must be a string of at most ${most} whole characters`,
      ...STATED,
    })
    .meta({ maxLength: most });
