/** One sentence of a file, or a heading or a cell of a table, as its readers see it. */
export type Sentence = { readonly file: string; readonly text: string };

/** Phrases that readers stumbled over, each with what to write instead. */
const RETIRED: readonly { readonly phrase: RegExp; readonly instead: string }[] = [
  { phrase: /^(who|whoever|whom|what|of|such as|that which)\b(?!.*\?$)/i, instead: 'name the subject first' },
  { phrase: /\b(he|his|him|himself|she|her|hers|herself)\b/i, instead: 'they, their, them' },
  { phrase: /\bwhoever\b/i, instead: 'the courier who, every caller who' },
  { phrase: /\b(to|by|for|of|from|than|with|but) who\b/i, instead: 'to the courier who' },
  { phrase: /(?<!\bthere )\b(is|are|was|were) none\b(?! or\b)/i, instead: 'is not a, is invalid' },
  { phrase: /(?<!\bthere )\b(is|are) no (?!longer\b|more\b|other\b|better\b|worse\b)/i, instead: 'is not a' },
  { phrase: /\b(tell|tells|told) of\b/i, instead: 'reports' },
  { phrase: /(?<!\bto[- ]|\bnext )\bdoors?\b/i, instead: 'drop-off' },
  { phrase: /\bhand time\b/i, instead: 'the delay of the offer' },
  { phrase: /\bdraws? chance\b/i, instead: 'generates random values' },
  { phrase: /\banew\b/i, instead: 'again' },
  { phrase: /\bof before\b/i, instead: 'earlier' },
  { phrase: /\bless than nothing\b/i, instead: 'negative' },
];

/** What to write instead of the phrases of a sentence that readers stumble over. Quotations may say anything. */
export function judgeSentence({ file, text }: Sentence): string[] {
  const own = text.replaceAll(/“[^”]*”|"[^"]*"/g, '"…"');
  return RETIRED.filter(({ phrase }) => phrase.test(own)).map(({ instead }) => `${file}: ${text} → ${instead}`);
}

/** The sentences of a file: of a Markdown document, or of the comments and longer strings of a source. */
export function sentencesOf(file: string, text: string): Sentence[] {
  const blocks = file.endsWith('.md') ? blocksOfMarkdown(text) : blocksOfSource(text);
  return blocks
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?]) (?=[^a-z])/))
    .map((sentence) => ({ file, text: sentence.trim() }))
    .filter((sentence) => /[a-z]{2}/i.test(sentence.text));
}

/** Paragraphs, headings, items of lists and cells of tables, without code, ids of rules and addresses of links. */
function blocksOfMarkdown(text: string): string[] {
  return text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '`code`')
    .replaceAll(/^ *(#+|[-*]|\d+\.|>) +(\*\*[A-Z]\d+\*\*)?/gm, '\n\n')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|(?<!\w)[*_]|[*_](?!\w)/g, '')
    .split(/\n\s*\n|\n(?=\|)/)
    .flatMap((block) => (block.startsWith('|') ? block.split('|') : [block]));
}

/** Comments, those on several lines as one, and strings that begin like a sentence. */
function blocksOfSource(text: string): string[] {
  const parts = text.match(
    /\/\*[\s\S]*?\*\/|(?:^ *\/\/.*\n)+|\/\/.*$|(['"`])[A-Z](?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])*\1/gm,
  );
  return (parts ?? []).flatMap((part) =>
    part
      .replaceAll(/^ *(\/\*\*?|\*\/|\*|\/\/) ?|\*\/$/gm, '')
      .replace(/^(['"`])([\s\S]*)\1$/, '$2')
      .replaceAll(/`[^`\n]*`/g, '`code`')
      .split(/(?=@\w+)|\n\s*\n|\n(?=- )/),
  );
}
