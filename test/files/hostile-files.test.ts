import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openFiles } from './house.ts';
import { aJpeg, aPdf, aPhotoWithPlace, aPng, aWebp } from './samples.ts';

const { upload, contentOf } = await openFiles('hostile-files');

const [jpeg, png, webp] = await Promise.all([aJpeg(), aPng(), aWebp()]);
const ZIP_END = Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]);
const HTML = Buffer.from('<html><script>alert(1)</script></html>');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

/** A PDF whose object stream contains this text, compressed. */
function packed(text: string | Buffer, filter = '/FlateDecode'): Buffer {
  const body = deflateSync(text).toString('latin1');
  return aPdf(`4 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter ${filter} >>\nstream\n${body}\nendstream\nendobj\n`);
}

/** A PNG head that claims this size, with the rest of a small picture. */
function claiming(width: number, height: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  return changed;
}

const large = await sharp({ create: { width: 5000, height: 4900, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();

/** Files that must be refused, with the type that they declare. */
const REFUSED: readonly (readonly [string, Buffer, string])[] = [
  ['nothing', Buffer.alloc(0), 'image/jpeg'],
  ['zeros', Buffer.alloc(5000), 'image/png'],
  ['an SVG with a script', SVG, 'image/svg+xml'],
  ['an SVG that is declared as PNG', SVG, 'image/png'],
  ['a page', HTML, 'text/html'],
  ['a page that is declared as PDF', HTML, 'application/pdf'],
  ['an archive', Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), ZIP_END]), 'application/zip'],
  ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;', 'latin1'), 'image/gif'],
  ['a program', Buffer.from('MZ'.padEnd(200, 'x')), 'application/pdf'],
  ['a TIFF', await sharp(jpeg).tiff().toBuffer(), 'image/tiff'],
  ['a JPEG that is declared as PNG', jpeg, 'image/png'],
  ['a PNG that is declared as PDF', png, 'application/pdf'],
  ['a PDF that is declared as JPEG', aPdf(), 'image/jpeg'],
  ['a type that is not declared', jpeg, 'application/octet-stream'],
  ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'image/jpeg'],
  ['half a PNG', png.subarray(0, png.length / 2), 'image/png'],
  ['half a WebP', webp.subarray(0, webp.length / 2), 'image/webp'],
  ['the head of a JPEG alone', jpeg.subarray(0, 12), 'image/jpeg'],
  ['a PNG that claims a billion pixels', claiming(32_000, 32_000), 'image/png'],
  ['a PNG that claims the largest size', claiming(0x7fff_ffff, 0x7fff_ffff), 'image/png'],
  ['a small file with 24.5 million pixels', large, 'image/png'],
  ['half a PDF', aPdf().subarray(0, 100), 'application/pdf'],
  ['a PDF with an archive behind it', Buffer.concat([aPdf(), ZIP_END]), 'application/pdf'],
  ['a PDF with a page behind it', Buffer.concat([aPdf(), HTML]), 'application/pdf'],
  ['a page behind the head of a PDF', Buffer.concat([Buffer.from('%PDF-1.7\n'), HTML, aPdf()]), 'application/pdf'],
  ['a PDF with a script', aPdf('4 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj\n'), 'application/pdf'],
  ['a PDF with a disguised script', aPdf('4 0 obj\n<< /S /J#61va#53cript >>\nendobj\n'), 'application/pdf'],
  ['a PDF with a packed script', packed('4 0 << /S /JavaScript /JS (x) >>'), 'application/pdf'],
  ['a PDF with a packed and disguised script', packed('4 0 << /S /#4aavaScript >>'), 'application/pdf'],
  ['a PDF that starts a program', aPdf('4 0 obj\n<< /S /Launch /F (x.exe) >>\nendobj\n'), 'application/pdf'],
  ['a PDF with a file inside', aPdf('4 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n'), 'application/pdf'],
  ['a PDF with a form program', aPdf('4 0 obj\n<< /XFA 5 0 R >>\nendobj\n'), 'application/pdf'],
  ['an encrypted PDF', aPdf('4 0 obj\n<< /Encrypt 5 0 R >>\nendobj\n'), 'application/pdf'],
  ['a PDF with objects in another filter', packed('x', '[/ASCIIHexDecode /FlateDecode]'), 'application/pdf'],
  ['a PDF with objects in another filter by its short name', packed('x', '/AHx'), 'application/pdf'],
  ['a PDF with objects that are packed twice', packed('x', '[/FlateDecode /FlateDecode]'), 'application/pdf'],
  [
    'a PDF with objects and a predictor',
    packed('x', '/FlateDecode /DecodeParms << /Predictor 12 >>'),
    'application/pdf',
  ],
  [
    'a PDF with objects in a disguised filter',
    packed('x', '/FlateDecode /D#50 << /Predictor 12 >>'),
    'application/pdf',
  ],
  ['a PDF with a filter behind a comment', packed('x', '/AHx %obj<<\n/Type /ObjStm'), 'application/pdf'],
  [
    'a PDF with a filter behind a name with a digit',
    packed('x', '/FlateDecode /X1/K/Filter/AHx/Z/Q2'),
    'application/pdf',
  ],
  ['a PDF with a filter behind a coded space', packed('x', '/FlateDecode /X#20/Y/K/Filter/AHx/Z/Q'), 'application/pdf'],
  ['a PDF with too many object streams', aPdf('\n4 0 obj<</Type/ObjStm>>'.repeat(2001)), 'application/pdf'],
  ['a PDF with a filter behind a string', packed('x', '/FlateDecode /X (obj << >> stream) /F /AHx'), 'application/pdf'],
  ['a PDF that unpacks to 9 MiB', packed(Buffer.alloc(9 * 1024 * 1024)), 'application/pdf'],
];

test.each(REFUSED)('[F3] %s is refused', async (_what, content, declared) => {
  await expect(upload(content, declared)).rejects.toMatchObject({
    code: expect.stringMatching(/^(unsupported_media_type|file_not_accepted)$/) as string,
  });
});

test('[F3] a PDF is no photo, signature or logo', async () => {
  for (const kind of ['photo', 'signature', 'logo'] as const) {
    await expect(upload(aPdf(), 'application/pdf', kind)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  }
});

test.each([
  ['an archive behind a JPEG', Buffer.concat([jpeg, ZIP_END]), 'image/jpeg', 'PK\u0005\u0006'],
  ['a page behind a JPEG', Buffer.concat([jpeg, HTML]), 'image/jpeg', '<script>'],
  ['a page behind a PNG', Buffer.concat([png, HTML]), 'image/png', '<script>'],
  ['the place of a photo', await aPhotoWithPlace(), 'image/jpeg', 'SecretPhone'],
] as const)('[F4] %s is not stored with the picture', async (_what, content, type, trace) => {
  expect(content.includes(Buffer.from(trace, 'latin1'))).toBe(true);
  const stored = await contentOf((await upload(content, type, 'photo')).id);
  expect(stored?.includes(Buffer.from(trace, 'latin1'))).toBe(false);
});

// As Acrobat, qpdf, pdfTeX and Ghostscript write them.
test.each([
  '/FlateDecode',
  '[/FlateDecode]',
  '[ /FlateDecode ]/Extends 12 0 R',
  '/FlateDecode/Length 34 0 R',
  '/Fl#61teDecode\r\n/Length 7',
])('[F4] a PDF with harmless packed objects is accepted: %s', async (filter) => {
  const harmless = packed('4 0 << /Type /Font >>', filter);
  expect(await contentOf((await upload(harmless, 'application/pdf')).id)).toEqual(harmless);
});
