/** Files for tests, made in memory. */
import sharp from 'sharp';

type Picture = { readonly width?: number; readonly height?: number };

/** A picture of one colour. */
export function aPicture({ width = 32, height = 24 }: Picture = {}): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } });
}

export function aJpeg(of: Picture = {}): Promise<Buffer> {
  return aPicture(of).jpeg().toBuffer();
}

export function aPng(of: Picture = {}): Promise<Buffer> {
  return aPicture(of).png().toBuffer();
}

export function aWebp(of: Picture = {}): Promise<Buffer> {
  return aPicture(of).webp().toBuffer();
}

/** A photo with the place and the device in its metadata. */
export function aPhotoWithPlace(): Promise<Buffer> {
  return aPicture()
    .withExif({
      IFD0: { Make: 'SecretPhone', Copyright: 'Ada' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 18/1',
      },
    })
    .jpeg()
    .toBuffer();
}

/** A PDF of one empty page. `more` are further objects, as text. */
export function aPdf(more = ''): Buffer {
  const objects = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj
${more}`;
  const head = '%PDF-1.7\n';
  return Buffer.from(
    `${head}${objects}xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${head.length + objects.length}\n%%EOF\n`,
    'latin1',
  );
}
