/** Words are indexed up to this many characters. A letter alone is not a word. */
const MOST_CHARACTERS = 24;
const LEAST_CHARACTERS = 2;

/** Letters that Unicode does not take apart, and how people type them without their keys. */
const SPELLINGS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'gu');

/** Says whether a word was split from its text by a release that kept such letters. */
export function isOldWord(word: string): boolean {
  return word.search(SPELLED) >= 0;
}

/** The words of a text without case, accents and letters of few languages: runs of letters and digits. */
export function splitWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(SPELLED, (letter) => SPELLINGS[letter] ?? letter);
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= LEAST_CHARACTERS).map((word) => word.slice(0, MOST_CHARACTERS));
}

/** The digits of a text, such as a phone number. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Says whether a search text looks like a phone number. */
export function isPhoneLike(text: string): boolean {
  return /^\+?[\d\s().-]+$/.test(text);
}
