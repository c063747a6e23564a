import { mongo as mongodb } from 'mongoose';

const UNFIT = 121;
/** MongoDB also reports the values of a refused document, which may be personal, and our own rules. Both are left out. */
const LEFT_OUT: readonly string[] = ['consideredValue', 'consideredValues', 'specifiedAs', 'failingDocumentId'];

/** MongoDB refused to store a document that does not have the shape of its collection. This is a fault of the server. */
export class UnfitDocument extends Error {
  /** Which paths are wrong and why, without their values. */
  readonly errInfo: unknown;

  constructor(errInfo: unknown, cause: unknown) {
    super(`MongoDB refused a document without the shape of its collection: ${JSON.stringify(errInfo)}`, { cause });
    this.errInfo = errInfo;
  }
}

/** The same error. If MongoDB refused a document, the error says why. */
export function explainUnfit(error: unknown): unknown {
  const isUnfit = error instanceof mongodb.MongoError && error.code === UNFIT;
  return isUnfit ? new UnfitDocument(withoutValues(infoOf(error)), error) : error;
}

function infoOf(error: unknown): unknown {
  if (!(error instanceof mongodb.MongoServerError)) return null;
  if (!(error instanceof mongodb.MongoBulkWriteError)) return error['errInfo'];
  return [error.writeErrors].flat().find(({ code }) => code === UNFIT)?.errInfo;
}

function withoutValues(info: unknown): unknown {
  if (Array.isArray(info)) return info.map(withoutValues);
  if (typeof info !== 'object' || info === null) return info;
  const kept = Object.entries(info).filter(([name]) => !LEFT_OUT.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutValues(value)]));
}
