import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

/** A body that never changes, with its compressed form; null if compression does not make it smaller. */
export type Fixed = { readonly plain: Buffer; readonly packed: Buffer | null };

const pack = promisify(gzip);

/** Compresses a body once. Anybody may request it at any rate, and compression costs far more than sending. */
export async function makeFixed(plain: Buffer): Promise<Fixed> {
  const packed = await pack(plain);
  return { plain, packed: packed.length < plain.length ? packed : null };
}

/** Serves a body that never changes. It is made at its first request, or at the next one if that failed. */
export function serveFixed(type: 'html' | 'json', make: () => Promise<string> | string): RequestHandler {
  let making: Promise<Fixed> | null = null;
  const makeAgain = async (): Promise<Fixed> => {
    try {
      return await makeFixed(Buffer.from(await make()));
    } catch (error) {
      making = null;
      throw error;
    }
  };
  return async (req, res) => {
    making ??= makeAgain();
    sendFixed(req, res.type(type), await making);
  };
}

/** Sends a fixed body. The caller has set its type. */
export function sendFixed(req: Request, res: Response, { plain, packed }: Fixed): void {
  res.vary('Accept-Encoding');
  const isPacked = packed !== null && req.acceptsEncodings('gzip') !== false;
  if (isPacked) res.set('Content-Encoding', 'gzip');
  // Otherwise the middleware would compress it again for each other encoding.
  else if (packed !== null) res.append('Cache-Control', 'no-transform');
  res.send(isPacked ? packed : plain);
}
