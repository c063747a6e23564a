import { Refusal } from '../domain/refusals/refusals.ts';
import type { ImageType } from '../domain/files/file.ts';

type Sharp = (typeof import('sharp'))['default'];

/** Quality of a JPEG or WebP image after it is encoded again: a signature stays sharp, and a photo is not visibly worse. */
const QUALITY = 85;

let loading: Promise<Sharp | null> | null = null;

/** The image library; null if it is not installed for this platform. */
function loadSharp(): Promise<Sharp | null> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      // One image takes up to 100 MB while it is decoded. Nothing is read twice, so a cache would only keep memory.
      sharp.cache(false);
      sharp.concurrency(1);
      return sharp;
    },
    // The library is an optional part of the installation. `cleanImage` says that it is missing.
    () => null,
  );
  return loading;
}

/** Limits in pixels. An image with a longer side is made smaller; null keeps its size. */
export type ImageLimits = { readonly maxPixels: number; readonly longestSide: number | null };

/**
 * Decodes an image and encodes it again in the same format. Metadata such as the place of a photo is lost, and so is
 * everything that is not a part of the picture. The picture keeps its orientation.
 * Refuses `images_unavailable` without the image library.
 * @returns null if the content cannot be decoded or has more pixels than allowed
 */
export async function cleanImage(
  content: Buffer,
  type: ImageType,
  { maxPixels, longestSide }: ImageLimits,
): Promise<Buffer | null> {
  const sharp = await loadSharp();
  if (sharp === null) throw new Refusal('images_unavailable');
  try {
    const image = sharp(content, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
    return await encodeAgain(longestSide === null ? image : shrink(image, longestSide), type);
  } catch {
    // The library throws for anything that is not a whole picture within the limit.
    return null;
  }
}

function shrink(image: ReturnType<Sharp>, longestSide: number): ReturnType<Sharp> {
  return image.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
}

function encodeAgain(image: ReturnType<Sharp>, type: ImageType): Promise<Buffer> {
  const upright = image.autoOrient();
  switch (type) {
    case 'image/jpeg':
      return upright.jpeg({ quality: QUALITY }).toBuffer();
    case 'image/png':
      return upright.png({ compressionLevel: 6 }).toBuffer();
    case 'image/webp':
      return upright.webp({ quality: QUALITY }).toBuffer();
  }
}
