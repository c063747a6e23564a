/** Words of six letters and more that stand in placeholders and examples. By chance they are in one of a million secrets. */
const PLACEHOLDER =
  /secret|passwor[dt]|change|default|example|production|please|dispatch|secure|insert|random|pepper|cursor|webhook|qwerty/iu;
/** Far less than 32 random characters show: of a million, none showed less. */
const LEAST_BITS = 40;

/**
 * Says whether a secret is one that people make up: a placeholder, or so repetitive or sequential that little of it is
 * left to guess. It cannot show that a text was made by chance.
 */
export function isGuessable(text: string): boolean {
  return PLACEHOLDER.test(text) || unforeseenBits(text) < LEAST_BITS;
}

/** Bits of the characters that neither continue a sequence nor repeat a pair that was there before. */
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
