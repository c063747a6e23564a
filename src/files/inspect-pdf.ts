import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';
import type { Clock } from '../ports/process.ts';
import { takeTurns } from '../work/take-turns.ts';

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
/** The name of the streams that hold compressed objects. */
const OBJECT_STREAM = 'ObjStm';
/** The white space of PDF. */
const WHITE = '[\\0\\t\\n\\f\\r ]';
/** How far the dictionary of such a stream may reach to each side of this name. */
const MOST_OF_DICTIONARY = 1024;
/**
 * The dictionary of an object stream that this reader can undo: numbers, references and names, and at most one pass of Flate
 * (ISO 32000-2, 7.5.7). Other filters, a second pass or a predictor would hide the names of its objects, and a string or a
 * comment could hide the filter.
 */
const PLAIN_DICTIONARY = new RegExp(
  [
    '^W*<<',
    '(?:W*/(?!(?:Filter|F|DecodeParms|DP)(?![A-Za-z]))[A-Za-z]+(?:W+-?\\d+(?:W+\\d+W+R)?|W*/[A-Za-z]+)',
    '|W*/FilterW*(?:/FlateDecode|\\[W*/FlateDecodeW*\\]))*',
    'W*>>W*$',
  ]
    .join('')
    .replaceAll('W', WHITE),
);
/** The head of an object, which begins a line. */
const OBJECT = new RegExp(`(?<=[\\r\\n]${WHITE}*\\d+${WHITE}+\\d+${WHITE}+)obj`);

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

/** Bytes that are read in one go. Between two slices other work may use this thread. */
const SLICE_BYTES = 65_536;
/** Each slice begins with the end of the one before. That is more than the longest name has, all in `#` codes. */
const OVERLAP_BYTES = 64;
/** The patterns look at most this far back. */
const LOOK_BACK_BYTES = 3;

const NAMES = ['Encrypt', ...ACTIVE, OBJECT_STREAM];
/** One of these names, also if some of its letters are written as `#` codes. */
const NAME = new RegExp(`/(?:${NAMES.map(codedOf).join('|')})(?![A-Za-z0-9#])`, 'g');
const STREAM = /(?<!end)stream(?:\r\n|\n|\r)/g;

const INFLATING = { maxOutputLength: MOST_INFLATED, finishFlush: constants.Z_SYNC_FLUSH };

const NOT_WHOLE = 'must be a whole PDF';
const TOO_LARGE = 'must be smaller when it is unpacked';

/** Why a PDF is refused, as the end of a sentence; null if it is accepted. */
export type PdfFault = string | null;

/**
 * Judges a PDF: it must be whole and must not have active content. Names may be written with `#` codes and hidden in
 * compressed objects, so both are undone. A PDF that cannot be read to its end is refused. Other work gets this thread in
 * between, because a large PDF takes long.
 */
export async function inspectPdf(clock: Clock, content: Buffer): Promise<PdfFault> {
  const tail = content.toString('latin1', Math.max(0, content.length - TAIL_BYTES)).trimEnd();
  if (!tail.endsWith('%%EOF') || !tail.includes('startxref')) return NOT_WHOLE;
  if (content.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END)) return 'must not be an archive as well';
  if (/<(?:script|html|svg)\b/i.test(content.toString('latin1', 0, TAIL_BYTES))) return 'must not be a page as well';
  const names = await namesIn(clock, content);
  if (names.has('Encrypt')) return 'must not be encrypted';
  const fault = faultOf(names);
  if (fault !== null || !names.has(OBJECT_STREAM)) return fault;
  if (!(await arePlain(clock, content))) return 'must compress its objects with `/FlateDecode` only';
  return inspectStreams(clock, content);
}

function faultOf(names: ReadonlySet<string>): PdfFault {
  const active = ACTIVE.find((name) => names.has(name));
  return active === undefined ? null : `must not have active content (\`/${active}\`)`;
}

/** Says whether this reader can undo every object stream. */
async function arePlain(clock: Clock, content: Buffer): Promise<boolean> {
  const names: number[] = [];
  await takeTurns(clock, slicesOf(content), (slice) => {
    for (const { text, end } of matchesIn(content, slice, NAME)) {
      if (decode(text) === OBJECT_STREAM && names.length <= MOST_STREAMS) names.push(end);
    }
  });
  if (names.length > MOST_STREAMS) return false;
  let isPlain = true;
  await takeTurns(clock, names, (end) => {
    isPlain &&= PLAIN_DICTIONARY.test(dictionaryAt(content, end));
  });
  return isPlain;
}

/** The text from the nearest head of an object to the nearest `stream` around this place, with letters for their `#` codes. */
function dictionaryAt(content: Buffer, at: number): string {
  const [, ...near] = content.toString('latin1', Math.max(0, at - MOST_OF_DICTIONARY), at).split(OBJECT);
  const [after] = content.toString('latin1', at, at + MOST_OF_DICTIONARY).split('stream', 1);
  return decoded(`${near.at(-1) ?? ''}${after}`);
}

/** Looks into the compressed objects of a PDF. */
async function inspectStreams(clock: Clock, content: Buffer): Promise<PdfFault> {
  const starts = await streamsIn(clock, content);
  if (starts.length > MOST_STREAMS) return 'must be simpler: it has too many streams';
  let inflatedBytes = 0;
  for (const start of starts) {
    const { bytes, fault } = await inflateAt(content, start);
    if (fault !== null) return fault;
    inflatedBytes += bytes.length;
    if (inflatedBytes > MOST_INFLATED_IN_ALL) return TOO_LARGE;
    const active = faultOf(await namesIn(clock, bytes));
    if (active !== null) return active;
  }
  return null;
}

type Inflated = { readonly bytes: Buffer; readonly fault: PdfFault };
const NOTHING = Buffer.alloc(0);

/**
 * The content of a compressed stream that starts here. It is empty if the stream is compressed in another way, as images
 * are. The stream alone says where it ends, because a word in its bytes could end it too early.
 */
async function inflateAt(content: Buffer, start: number): Promise<Inflated> {
  const body = content.subarray(start);
  const [first = 0, second = 0] = body;
  if ((first & 0x0f) !== 8 || ((first << 8) | second) % 31 !== 0) return { bytes: NOTHING, fault: null };
  try {
    return { bytes: await inflateOne(body, INFLATING), fault: null };
  } catch (error) {
    // The library throws for damaged bytes and at the limit. Both refuse the PDF, each with its own sentence.
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { bytes: NOTHING, fault: isTooLarge ? TOO_LARGE : NOT_WHOLE };
  }
}

/** The names of the list that occur, without their codes. */
async function namesIn(clock: Clock, content: Buffer): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await takeTurns(clock, slicesOf(content), (slice) => {
    for (const { text } of matchesIn(content, slice, NAME)) found.add(decode(text));
  });
  return found;
}

/** Where streams start; at most one more than a PDF may have. */
async function streamsIn(clock: Clock, content: Buffer): Promise<readonly number[]> {
  const starts: number[] = [];
  await takeTurns(clock, slicesOf(content), (slice) => {
    for (const { end } of matchesIn(content, slice, STREAM)) {
      // The overlap of two slices is read twice.
      if (starts.length <= MOST_STREAMS && end > (starts.at(-1) ?? 0)) starts.push(end);
    }
  });
  return starts;
}

function slicesOf({ length }: Buffer): readonly number[] {
  return Array.from({ length: Math.ceil(length / SLICE_BYTES) }, (_, index) => index * SLICE_BYTES);
}

/** The matches in the slice that starts here. Those at its edges are left to the slices that have them whole. */
function* matchesIn(content: Buffer, slice: number, pattern: RegExp): Iterable<{ text: string; end: number }> {
  const from = Math.max(0, slice - OVERLAP_BYTES);
  const to = Math.min(content.length, slice + SLICE_BYTES);
  for (const { 0: text, index } of content.toString('latin1', from, to).matchAll(pattern)) {
    const end = from + index + text.length;
    const isCut = (from > 0 && index < LOOK_BACK_BYTES) || (end === to && to < content.length);
    if (!isCut) yield { text, end };
  }
}

/** A pattern for a name in which each letter may be a `#` code: its hexadecimal digits in either case. */
function codedOf(name: string): string {
  return name
    .split('')
    .map((letter) => {
      const digits = letter.charCodeAt(0).toString(16).split('');
      return `(?:${letter}|#${digits.map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')})`;
    })
    .join('');
}

/** The name without its slash and its `#` codes. */
function decode(name: string): string {
  return decoded(name.slice(1));
}

/** Decodes letters alone. A code for another character would change where a name ends. */
function decoded(text: string): string {
  return text.replaceAll(/#([0-9A-Fa-f]{2})/g, (code, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z]/.test(letter) ? letter : code;
  });
}
