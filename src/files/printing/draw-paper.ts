import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import type { Paper, PaperColumn } from '../../domain/files/paper.ts';
import { unpackFont } from './unpack-font.ts';

/** DejaVu Sans. Its licence allows to embed it. Only the used glyphs go into a document. */
const FONTS = {
  regular: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  bold: '@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff',
} as const;
type Weight = keyof typeof FONTS;

const INK = '#1b1f24';
const FAINT = '#5a6472';
const RULE = '#cfd6de';
/** Points. The page is A4. */
const PAGE = { width: 595.28, height: 841.89, side: 48, top: 48, foot: 64 } as const;
const WIDTH = PAGE.width - 2 * PAGE.side;
const BOTTOM = PAGE.height - PAGE.foot;
const GAP = 6;
const BODY_PT = 7.5;
const TOTALS_WIDTH = 230;

const fonts = new Map<Weight, Buffer>();

/** Reads a font once, because all documents of the thread use it. */
function fontOf(weight: Weight): Buffer {
  const known = fonts.get(weight) ?? unpackFont(readFileSync(createRequire(import.meta.url).resolve(FONTS[weight])));
  fonts.set(weight, known);
  return known;
}

/** Draws a paper as a PDF. Rows that do not fit on a page go on to the next one, under the same headings. */
export async function drawPaper(paper: Paper): Promise<Uint8Array> {
  const created = new Date(paper.createdAt);
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: PAGE.top, bottom: 0, left: PAGE.side, right: PAGE.side },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: paper.footer, CreationDate: created, ModDate: created },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => void chunks.push(chunk));
    doc.on('end', () => resolve());
    doc.on('error', reject);
  });
  for (const weight of Object.keys(FONTS) as Weight[]) doc.registerFont(weight, fontOf(weight));
  const afterTop = drawTop(doc, paper);
  const afterTable = drawTable(doc, paper, afterTop + 18);
  drawEnd(doc, paper, afterTable);
  drawFeet(doc, paper.footer);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

type Doc = PDFKit.PDFDocument;
type Style = { readonly weight?: Weight; readonly size?: number; readonly color?: string; readonly right?: boolean };

/** Writes a text into a box and returns its lower edge. */
function write(doc: Doc, text: string, [x, y, width]: readonly [number, number, number], style: Style = {}): number {
  const { weight = 'regular', size = BODY_PT, color = INK, right = false } = style;
  doc.font(weight).fontSize(size).fillColor(color);
  doc.text(text, x, y, { width, align: right ? 'right' : 'left' });
  return doc.y;
}

/** The title with the facts beside it, and the parties below. */
function drawTop(doc: Doc, { title, facts, parties }: Paper): number {
  const half = WIDTH / 2;
  const right = PAGE.side + half;
  const titleEnd = write(doc, title, [PAGE.side, PAGE.top - 6, half - GAP], { weight: 'bold', size: 22 });
  let y: number = PAGE.top;
  for (const [label, value] of facts) {
    write(doc, label, [right, y, 96], { color: FAINT });
    y = write(doc, value, [right + 96 + GAP, y, half - 96 - GAP], { weight: 'bold', right: true }) + 2;
  }
  const top = Math.max(titleEnd, y) + 20;
  const ends = parties.map(({ heading, lines }, index) => {
    const x = PAGE.side + index * half;
    let end = write(doc, heading, [x, top, half - 2 * GAP], { color: FAINT }) + 2;
    for (const [at, line] of lines.entries())
      end = write(doc, line, [x, end, half - 2 * GAP], { size: 9.5, weight: at === 0 ? 'bold' : 'regular' });
    return end;
  });
  return Math.max(top, ...ends);
}

type Box = { readonly x: number; readonly width: number; readonly column: PaperColumn };

function boxesOf(columns: readonly PaperColumn[]): Box[] {
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  let x: number = PAGE.side;
  return columns.map((column, at) => {
    const share = (column.width / whole) * WIDTH;
    const box = { x, width: at === columns.length - 1 ? share : share - GAP, column };
    x += share;
    return box;
  });
}

function drawTable(doc: Doc, { columns, rows }: Paper, top: number): number {
  const boxes = boxesOf(columns);
  const headings = columns.map(({ heading }) => heading);
  let y = drawRow(doc, boxes, headings, top, { weight: 'bold', color: FAINT });
  for (const row of rows) {
    doc.font('regular').fontSize(BODY_PT);
    const height = Math.max(...boxes.map(({ width }, at) => doc.heightOfString(row[at] ?? '', { width })));
    if (y + height + GAP > BOTTOM) {
      doc.addPage();
      y = drawRow(doc, boxes, headings, PAGE.top, { weight: 'bold', color: FAINT });
    }
    y = drawRow(doc, boxes, row, y, {});
  }
  return y;
}

/** Draws a row with a line under it, and returns where the next one begins. */
function drawRow(doc: Doc, boxes: readonly Box[], row: readonly string[], top: number, style: Style): number {
  const ends = boxes.map(({ x, width, column }, at) =>
    write(doc, row[at] ?? '', [x, top, width], { ...style, right: column.isNumber }),
  );
  const end = Math.max(...ends) + 3;
  doc
    .moveTo(PAGE.side, end)
    .lineTo(PAGE.width - PAGE.side, end)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke();
  return end + 3;
}

/** The totals at the right and the notes below them. Each of the two stays on one page. */
function drawEnd(doc: Doc, { totals, notes }: Paper, top: number): void {
  const x = PAGE.width - PAGE.side - TOTALS_WIDTH;
  let y = onOnePage(doc, top + 10, totals.length * 16);
  for (const [at, [label, value]] of totals.entries()) {
    const isResult = at === totals.length - 1;
    const style: Style = isResult ? { weight: 'bold', size: 11 } : { size: 9 };
    write(doc, label, [x, y, 110], style);
    y = write(doc, value, [x + 110, y, TOTALS_WIDTH - 110], { ...style, right: true }) + 3;
  }
  doc.font('regular').fontSize(8);
  const height = notes.reduce((sum, note) => sum + doc.heightOfString(note, { width: WIDTH }) + 3, 0);
  y = onOnePage(doc, y + 20, height);
  for (const note of notes) y = write(doc, note, [PAGE.side, y, WIDTH], { size: 8, color: FAINT }) + 3;
}

function onOnePage(doc: Doc, y: number, height: number): number {
  if (y + height <= BOTTOM) return y;
  doc.addPage();
  return PAGE.top;
}

/** Writes the name of the document and the number of each page at its foot. */
function drawFeet(doc: Doc, footer: string): void {
  const { count } = doc.bufferedPageRange();
  const y = PAGE.height - PAGE.foot + 28;
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    write(doc, footer, [PAGE.side, y, WIDTH / 2], { size: 7.5, color: FAINT });
    write(doc, `Page ${page + 1} of ${count}`, [PAGE.side + WIDTH / 2, y, WIDTH / 2], {
      size: 7.5,
      color: FAINT,
      right: true,
    });
  }
}
