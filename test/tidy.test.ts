import { expect, test } from 'vitest';
import { judgeSentence, sentencesOf } from './sentences.ts';
import { documentsOf, readRoot, sourcesOf } from './sources.ts';

const MOST_LINES = 250;
const BANNED =
  'rider driver job trip shipment merchant outlet waypoint withdrawal cancelled utils helper manager'.split(' ');

/** Where the machine's clock, chance and environment may be touched. */
const PORTS_OF: readonly { readonly what: RegExp; readonly only: RegExp }[] = [
  { what: /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(/, only: /^src\/(clock|embedded\/.*)\.ts$/ },
  // Spans of the machine's time: of a start, and in the worker thread, which no port reaches.
  {
    what: /\bperformance\.now\(|\bprocess\.hrtime\b/,
    only: /^src\/(clock|process\/run-server|embedded\/processes\/wait|dispatch\/regions\/matcher-worker)\.ts$/,
  },
  { what: /\bMath\.random\(|\brandomUUID\(/, only: /^src\/(domain\/ids|core)\.ts$/ },
  // Secrets, nonces, and the names by which processes recognise their own messages.
  {
    what: /\b(randomBytes|randomInt|getRandomValues|generateKey\w*)\(/,
    only: /^src\/(models\/(secrets\/.*|access\/(sessions\/access-tokens|login\/one-time-codes)|positions\/position-index)|webhooks\/sign|engines\/(base62|redis\/(bell|redis-pulse)))\.ts$/,
  },
  { what: /\bprocess\.env\b/, only: /^src\/(main|operator|replay|streets)\.ts$/ },
];

const client = sourcesOf('packages').filter(({ file }) => !file.includes('/generated/'));
const product = [...sourcesOf('src'), ...sourcesOf('web'), ...client];

/** Sources below `src` and `test` whose sentences are plain. The examples of mistakes, for the judge itself, are not. */
const PLAIN_SOURCES = [
  /^src\/(domain|ports|work|engines|models|dispatch|http|realtime|webhooks|process|embedded)\//,
  /^src\/[^/]+\.ts$/,
  /^(web|packages)\//,
  /^test\/(domain|engines|e2e|dispatch)\//,
  /^test\/(models|embedded|http|realtime|webhooks|process|web|web-unit|client)\//,
  /^test\/(?!sentences|tidy)[^/]+\.ts$/,
];

/** The files whose sentences must be plain English: documents, and the comments and strings of these sources. */
const PROSE = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'].map((file) => ({
    file,
    text: readRoot(file),
  })),
  ...documentsOf('docs'),
  ...documentsOf('load-tests'),
  ...documentsOf('packages/client'),
  ...sourcesOf('load-tests'),
  ...sourcesOf('test/load-tests'),
  ...[...product, ...sourcesOf('test')].filter(({ file }) => PLAIN_SOURCES.some((plain) => plain.test(file))),
];

/** Source without comments and strings: what is left are identifiers and punctuation. */
function codeOf(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\/\/.*$/gm, '')
    .replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, "''");
}

function wordsOf(identifier: string): string[] {
  return identifier.split(/[_$]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}

test('[X4] a file has at most 250 lines, unless it is one table', () => {
  const sources = [
    ...product,
    ...sourcesOf('test'),
    ...sourcesOf('load-tests'),
    ...sourcesOf('docs'),
    ...sourcesOf('examples'),
  ];
  const long = sources
    .filter(({ text }) => !text.includes('// one table'))
    .map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MOST_LINES);
  expect(long).toEqual([]);
  expect(sources.length).toBeGreaterThan(100);
});

test('[X5] one word per thing: none of the banned words names anything', () => {
  const wire = /^src\/http\/(wire|endpoints)\//;
  const found = product
    .filter(({ file }) => !wire.test(file))
    .flatMap(({ file, text }) => {
      const identifiers = codeOf(text).match(/[A-Za-z_$][\w$]*/g) ?? [];
      const names = [...new Set([...identifiers, ...file.split(/[/.-]/)])];
      return names
        .filter((name) => wordsOf(name).some((word) => BANNED.includes(word)))
        .map((name) => `${file}: ${name}`);
    });
  expect(found).toEqual([]);
});

test('[X6] only the listed files touch the clock, random values and the environment', () => {
  const found = sourcesOf('src').flatMap(({ file, text }) =>
    PORTS_OF.filter(({ what, only }) => !only.test(file) && what.test(codeOf(text))).map(
      ({ what }) => `${file}: ${what}`,
    ),
  );
  expect(found).toEqual([]);
});

test('[X7] every rule of the server and of its load tests has an id of its own and a test, and every test states a rule', () => {
  const documents = ['docs/SPEC.md', 'load-tests/README.md'].map(readRoot).join('\n');
  const ids = [...documents.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map((match) => match[1]);
  const rules = new Set(ids);
  const cited = new Set(
    [...sourcesOf('test')].flatMap(({ text }) => [...text.matchAll(/['"`]\[([A-Z]\d+)\]/g)].map((match) => match[1])),
  );
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect([...rules].filter((id) => !cited.has(id))).toEqual([]);
  expect([...cited].filter((id) => !rules.has(id))).toEqual([]);
  expect(rules.size).toBeGreaterThan(50);
});

test('[R27] a warning or an error of the log gets the error itself, because an outage cannot cover its text', () => {
  const asText = /\blog\.(?:warn|error)\(\s*\{[^}]*\berr(?:or)?: [^,}]*(?:\bString\(|\.message\b|\.stack\b)/;
  const found = sourcesOf('src').filter(({ text }) => asText.test(codeOf(text)));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('[X8] no test waits for a fixed time', () => {
  const found = sourcesOf('test')
    .filter(({ file }) => !/^test\/(until|clock|work-clock|tidy\.test)\.ts$/.test(file))
    .filter(({ text }) => /setTimeout\(\s*(resolve|done|r)\b|timers\/promises/.test(codeOf(text)));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('[X12] no sentence begins without a subject or uses a phrase that readers stumble over', () => {
  const sentences = PROSE.flatMap(({ file, text }) => sentencesOf(file, text));
  expect(sentences.flatMap(judgeSentence)).toEqual([]);
  expect(sentences.length).toBeGreaterThan(2000);
});

test('[X12] a headless sentence and a wrong pronoun are found in documents and comments; questions and quotations pass', () => {
  const document = '# What is new?\n\n| Who |\n|---|\n\n- **L1** Whoever comes\n  waits. He waits, says “he”.\n';
  expect(sentencesOf('a.md', document).flatMap(judgeSentence)).toHaveLength(4);
  const source =
    "/** Waits.\n * Of two the first. */\nconst a = 'of two';\n// Its door\n// is open.\nconst b = 'What is so';\n";
  expect(sentencesOf('a.ts', source).flatMap(judgeSentence)).toHaveLength(3);
});
