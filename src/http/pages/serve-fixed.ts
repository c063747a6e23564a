import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** A body that never changes, with its packed form; null where packing does not make it smaller. */
export type Fixed = { readonly plain: Buffer; readonly packed: Buffer | null };

const pack = promisify(gzip);

/** Packs a body once, since anybody may ask for it at any rate: packing it for each of them costs far more than sending it. */
export async function makeFixed(plain: Buffer): Promise<Fixed> {
  const packed = await pack(plain);
  return { plain, packed: packed.length < plain.length ? packed : null };
}

/** Sends such a body; its type is set before. */
export function sendFixed(req: Request, res: Response, { plain, packed }: Fixed): void {
  res.vary('Accept-Encoding');
  const isPacked = packed !== null && req.acceptsEncodings('gzip') !== false;
  if (isPacked) res.set('Content-Encoding', 'gzip');
  // Or it would be packed anew for each of the other ways that a caller takes.
  else if (packed !== null) res.append('Cache-Control', 'no-transform');
  res.send(isPacked ? packed : plain);
}
