import { createHmac, randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns random base62 text. It discards bytes that would favour some characters.
 * @param entropy 32 random bytes. Equal ones give equal texts. Without them the text is always another one.
 */
export function randomBase62(length: number, entropy: Uint8Array | null = null): string {
  let text = '';
  for (let round = 0; text.length < length; round += 1) {
    const bytes =
      entropy === null ? randomBytes(length) : createHmac('sha256', entropy).update(`base62 ${round}`).digest();
    for (const byte of bytes) {
      if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
    }
  }
  return text;
}

/** Returns the last `length` base62 digits of a number, with zeros in front. */
export function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = `${DIGITS[Number(rest % 62n)]}${text}`;
  return text;
}
