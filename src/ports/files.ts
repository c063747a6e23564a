/** Files: photos, signatures, documents and logos. */
import type { StoredFile } from '../domain/files/file.ts';
import type { Paper } from '../domain/files/paper.ts';
import type { Signer } from './access.ts';
import type { FileId } from '../domain/ids.ts';

/** The content of files, by name. Adapters keep it in GridFS or in an S3 bucket. */
export type FileBytes = {
  put(id: FileId, content: Uint8Array, type: string): Promise<void>;
  /** The content, of which the first part is already read; null if nothing is stored under this name. */
  read(id: FileId): Promise<AsyncIterable<Uint8Array> | null>;
  /** Succeeds too if nothing is stored under this name. */
  remove(id: FileId): Promise<void>;
};

export type FileStore = {
  /**
   * Stores a file. The row comes first, so that a crash between the two writes leaves content that is removed at
   * `endsAt`.
   */
  add(file: StoredFile, content: Uint8Array): Promise<void>;
  find(id: FileId): Promise<StoredFile | null>;
  findMany(ids: readonly FileId[]): Promise<readonly StoredFile[]>;
  /** The content of a file, of which the first part is already read; null if it is gone. */
  read(id: FileId): Promise<AsyncIterable<Uint8Array> | null>;
  /**
   * Sets when the files are removed; null keeps them. Returns false if one of them is gone, or is being removed. That one
   * stays as it is.
   */
  keep(ids: readonly FileId[], endsAt: number | null): Promise<boolean>;
  /** Files that ended before this time, the first ended first. */
  listEnded(before: number, limit: number): Promise<readonly StoredFile[]>;
  /**
   * Removes a file that ended before this time, its content and then its row. A file whose end was set later meanwhile
   * stays. A removal that was cut short can be repeated, and nothing can keep its file any more.
   */
  remove(id: FileId, before: number): Promise<void>;
};

/** A printed document, and SHA-256 of its bytes in hexadecimal. */
export type Printed = { readonly pdf: Uint8Array; readonly sha256: string };

/** Draws documents outside the thread of the requests. Equal papers give equal bytes. */
export type Printer = { print(paper: Paper): Promise<Printed> };

/** Members of the context that this file describes. */
export type FilePorts = {
  readonly files: FileStore;
  /** Signs links to files. Its key follows from the secret of tracking links. */
  readonly fileSigner: Signer;
  readonly printer: Printer;
};
