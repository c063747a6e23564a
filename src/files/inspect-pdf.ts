import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';

const inflateOne = promisify(inflate);

/** Names of a PDF that make it do something when it is opened, or that carry other files. */
const ACTIVE = [
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'XFA',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'Movie',
  'Rendition',
];
/** Filters of object streams that this reader does not undo. */
const OTHER_FILTERS = ['LZWDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'RunLengthDecode'];

/** The end of a PDF lies in its last bytes. */
const TAIL_BYTES = 1024;
/** A ZIP archive ends with this record and at most 64 KiB of comment. */
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_TAIL_BYTES = 65_557;
/** Most bytes that one stream of a PDF may have when it is inflated, and all of them together. */
const MOST_INFLATED = 8 * 1024 * 1024;
const MOST_INFLATED_IN_ALL = 32 * 1024 * 1024;
/** Most streams that are inflated. A document of a few scanned pages has some dozens. */
const MOST_STREAMS = 2000;

const INFLATING = { maxOutputLength: MOST_INFLATED, finishFlush: constants.Z_SYNC_FLUSH };

const NOT_WHOLE = 'must be a whole PDF';
const TOO_LARGE = 'must be smaller when it is unpacked';

/** Why a PDF is refused, as the end of a sentence; null if it is accepted. */
export type PdfFault = string | null;

/**
 * Judges a PDF: it must be whole and must not have active content. Names may be written with `#` codes and hidden in
 * compressed objects, so both are undone. A PDF that cannot be read to its end is refused.
 */
export async function inspectPdf(content: Buffer): Promise<PdfFault> {
  const text = content.toString('latin1');
  const tail = text.slice(-TAIL_BYTES).trimEnd();
  if (!tail.endsWith('%%EOF') || !tail.includes('startxref')) return NOT_WHOLE;
  if (content.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END)) return 'must not be an archive as well';
  if (/<(?:script|html|svg)\b/i.test(text.slice(0, TAIL_BYTES))) return 'must not be a page as well';
  if (hasName(text, ['Encrypt'])) return 'must not be encrypted';
  const active = findName(text, ACTIVE);
  if (active !== null) return `must not have active content (\`/${active}\`)`;
  return hasName(text, ['ObjStm']) ? inspectStreams(content, text) : null;
}

/** Looks into the compressed objects of a PDF. */
async function inspectStreams(content: Buffer, text: string): Promise<PdfFault> {
  if (hasName(text, OTHER_FILTERS)) return 'must compress its objects with `/FlateDecode` only';
  let inflatedBytes = 0;
  let count = 0;
  for (const match of text.matchAll(/(?<!end)stream(?:\r\n|\n|\r)/g)) {
    count += 1;
    if (count > MOST_STREAMS) return 'must be simpler: it has too many streams';
    const { text: found, fault } = await inflateAt(content, match.index + match[0].length);
    if (fault !== null) return fault;
    inflatedBytes += found.length;
    if (inflatedBytes > MOST_INFLATED_IN_ALL) return TOO_LARGE;
    const active = findName(found, ACTIVE);
    if (active !== null) return `must not have active content (\`/${active}\`)`;
  }
  return null;
}

type Inflated = { readonly text: string; readonly fault: PdfFault };

/**
 * The text of a compressed stream that starts here. It is empty if the stream is compressed in another way, as images
 * are. The stream alone says where it ends, because a word in its bytes could end it too early.
 */
async function inflateAt(content: Buffer, start: number): Promise<Inflated> {
  const body = content.subarray(start);
  const [first = 0, second = 0] = body;
  if ((first & 0x0f) !== 8 || ((first << 8) | second) % 31 !== 0) return { text: '', fault: null };
  try {
    return { text: (await inflateOne(body, INFLATING)).toString('latin1'), fault: null };
  } catch (error) {
    // The library throws for damaged bytes and at the limit. Both refuse the PDF, each with its own sentence.
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { text: '', fault: isTooLarge ? TOO_LARGE : NOT_WHOLE };
  }
}

function hasName(text: string, names: readonly string[]): boolean {
  return findName(text, names) !== null;
}

/** The first of these names in the text, also if some of its letters are written as `#` codes. */
function findName(text: string, names: readonly string[]): string | null {
  return names.find((name) => patternOf(name).test(text)) ?? null;
}

const patterns = new Map<string, RegExp>();

function patternOf(name: string): RegExp {
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const letters = name
    .split('')
    .map((letter) => `(?:${letter}|${codeOf(letter)})`)
    .join('');
  const made = new RegExp(`/${letters}(?![A-Za-z0-9#])`);
  patterns.set(name, made);
  return made;
}

/** A letter as a `#` code: its hexadecimal digits in either case. */
function codeOf(letter: string): string {
  const digits = letter.charCodeAt(0).toString(16).split('');
  return `#${digits.map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')}`;
}
