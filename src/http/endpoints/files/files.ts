import { pipeline } from 'node:stream/promises';
import type { RequestHandler } from 'express';
import { EXTENSIONS } from '../../../domain/files/file.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { openToken } from '../../../files/links.ts';
import type { Page } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';

/** The content of files, by links that other answers contain. */
export const FILES: readonly Page[] = [
  {
    kind: 'page',
    route: 'GET /files/{token}',
    name: 'downloadFile',
    tag: 'Service',
    summary: 'Download a file by a link that expires',
    description:
      'Sends a photo, a signature, a document or a logo. Other answers contain the link, and it expires after 15 minutes.',
    type: 'application/octet-stream',
    serve: (ctx) => sendFile(ctx),
  },
];

/** Sends a file so that no browser shows it as a page: as a download, with its type, in a sandbox and never cached. */
function sendFile(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const id = openToken(ctx, String(req.params['token']));
    const file = await ctx.files.find(id);
    const content = file === null ? null : await ctx.files.read(id);
    if (file === null || content === null) throw new Refusal('file_not_found');
    res.set({
      'Content-Type': file.type,
      'Content-Length': String(file.bytes),
      'Content-Disposition': `attachment; filename="${file.id}.${EXTENSIONS[file.type]}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'no-store, no-transform',
      'X-Robots-Tag': 'noindex, nofollow',
    });
    if (req.method === 'HEAD') {
      content.destroy();
      res.end();
      return;
    }
    // A client that goes away ends the stream, and there is nobody left to answer.
    await pipeline(content, res).catch((error: unknown) => {
      if (!res.destroyed) throw error;
    });
  };
}
