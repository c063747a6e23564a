import type { FileId } from '../ids.ts';

/** The types that the server accepts. It finds the type of a file by its content. */
export const FILE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const satisfies readonly FileType[];
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Says whether files of this type are images. */
export function isImage(type: FileType): type is ImageType {
  return IMAGE_TYPES.some((image) => image === type);
}

/** The purpose of a file. */
export const FILE_KINDS = ['photo', 'signature', 'document', 'logo'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The types that a file of each kind may have. */
export const TYPES_OF: Readonly<Record<FileKind, readonly FileType[]>> = {
  photo: IMAGE_TYPES,
  signature: IMAGE_TYPES,
  document: FILE_TYPES,
  logo: IMAGE_TYPES,
};

/** The longest side of stored images of these kinds, pixels. Larger ones are made smaller. Others keep their size. */
export const LONGEST_SIDE: Partial<Readonly<Record<FileKind, number>>> = { logo: 512 };

/** A stored file. `*At` fields are service time in ms. */
export type StoredFile = {
  readonly id: FileId;
  readonly kind: FileKind;
  /** The id of the delivery, courier or vendor to which the file belongs. */
  readonly subject: string;
  readonly type: FileType;
  /** The size of the stored content. */
  readonly bytes: number;
  /** SHA-256 of the stored content, hexadecimal. */
  readonly sha256: string;
  readonly createdAt: number;
  /** When the server removes the file; null if it stays until its owner replaces it. */
  readonly endsAt: number | null;
};

/** When a stored file is removed from now on, service time in ms; null keeps it. */
export type FileEnd = Pick<StoredFile, 'id' | 'endsAt'>;

/** How many lives of a link a file stays that is used no more, so that no link to it breaks. */
const LIVES_OF_LINK = 2;

/**
 * When a file ends that is used no more from now on. Links expire by machine time, and files end by service time.
 * @param scale how fast service time runs
 */
export function endOfUnused(now: number, scale: number, linkRealMs: number): number {
  return now + LIVES_OF_LINK * linkRealMs * scale;
}

/** The extension of the name under which a browser saves a file of this type. */
export const EXTENSIONS: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};
