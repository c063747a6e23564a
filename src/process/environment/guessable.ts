/** Words of six or more letters from placeholders and examples. One random secret in a million contains one of them. */
const PLACEHOLDER =
  /secret|passwor[dt]|change|default|example|production|please|dispatch|secure|insert|random|pepper|cursor|webhook|qwerty/iu;
/** The least bits of a random secret. None of a million random secrets of 32 characters had fewer. */
const LEAST_BITS = 40;

/**
 * Says whether a secret is easy to guess: a placeholder, or very repetitive or sequential. It cannot prove that a text
 * is random.
 */
export function isGuessable(text: string): boolean {
  return PLACEHOLDER.test(text) || unforeseenBits(text) < LEAST_BITS;
}

/** Counts the bits of the characters that neither continue a sequence nor repeat an earlier pair. */
function unforeseenBits(text: string): number {
  const chars = text.split('');
  const pairs = new Set<string>();
  let unforeseen = 0;
  for (const [index, char] of chars.entries()) {
    const before = chars[index - 1] ?? '';
    const step = (char.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
    if (Math.abs(step) > 1 && !pairs.has(before + char)) unforeseen += 1;
    pairs.add(before + char);
  }
  return unforeseen * Math.log2(Math.max(1, new Set(chars).size));
}
