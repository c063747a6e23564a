import type { RequestHandler, Response } from 'express';
import { EXTENSIONS } from '../../../domain/files/file.ts';
import type { FileId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { openToken } from '../../../files/links.ts';
import type { Page } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { keepPrivate } from '../../pages/security-headers.ts';
import { sendParts } from '../../send-answer.ts';

/** The content of files, by links that other answers contain, and by tracking links. */
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
  {
    kind: 'page',
    route: 'GET /t/{token}/logo',
    name: 'downloadTrackingLogo',
    tag: 'Tracking',
    summary: "Download the logo on a recipient's page",
    description:
      'Sends the logo of the vendor as a picture. Browsers may keep it for 15 minutes. Without a logo the answer is 404 ' +
      '`file_not_found`. The token in the path is the credential.',
    type: 'application/octet-stream',
    guard: () => [keepPrivate],
    serve: sendLogo,
  },
];

const NOT_CACHED = 'no-store, no-transform';
/** The page of a recipient names each logo by its id, so a new logo is seen at once. */
const CACHED_BY_RECIPIENT = 'private, max-age=900, no-transform';

/** Sends the logo of the vendor whose delivery the tracking link shows. */
function sendLogo(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const { delivery } = await ctx.links.open(String(req.params['token']));
    const { logo } = await ctx.vendors.get(delivery.vendorId);
    if (logo === null) throw new Refusal('file_not_found');
    await sendContent(ctx, logo, CACHED_BY_RECIPIENT, res);
  };
}

/** Sends a file by a link that expires. It is never cached. */
function sendFile(ctx: HttpContext): RequestHandler {
  return (req, res) => sendContent(ctx, openToken(ctx, String(req.params['token'])), NOT_CACHED, res);
}

/** Sends a file so that no browser shows it as a page: as a download, with its type and in a sandbox. */
async function sendContent({ files }: HttpContext, id: FileId, cacheControl: string, res: Response): Promise<void> {
  const file = await files.find(id);
  const content = file === null ? null : await files.read(id);
  if (file === null || content === null) throw new Refusal('file_not_found');
  res.set({
    'Content-Type': file.type,
    'Content-Length': String(file.bytes),
    'Content-Disposition': `attachment; filename="${file.id}.${EXTENSIONS[file.type]}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': cacheControl,
    'X-Robots-Tag': 'noindex, nofollow',
  });
  await sendParts(res, content);
}
