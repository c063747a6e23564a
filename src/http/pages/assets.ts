import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Express, RequestHandler } from 'express';
import type { HttpContext } from '../http-context.ts';
import { guardPage } from './security-headers.ts';
import { makeFixed, sendFixed, type Fixed } from './serve-fixed.ts';

/** The files of the reference page. */
const REFERENCE_FILES = /^swagger-ui(-bundle\.js|\.css)$/u;
/** A name without folders, so that no request can leave the folder. */
const BUILT_FILES = /^\w[\w.-]{0,127}$/u;

const START_REFERENCE = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });\n`;

/** Serves the files of the pages. The names of built files contain a hash, so browsers may cache them for ever. */
export function serveAssets(app: Express, { webRoot, map }: Pick<HttpContext, 'webRoot' | 'map'>): void {
  const reference = findReference();
  const guard = guardPage(map.origin);
  app.use(
    '/assets',
    guard,
    serveFiles(path.join(webRoot, 'assets'), BUILT_FILES, 'public, max-age=31536000, immutable'),
  );
  app.get('/docs/assets/start.js', guard, (_req, res) => void res.type('text/javascript').send(START_REFERENCE));
  if (reference !== null) {
    app.use('/docs/assets', guard, serveFiles(reference, REFERENCE_FILES, 'public, max-age=86400'));
  }
}

/** The folder of the reference page's package; null if only the production packages are installed. */
export function findReference(): string | null {
  try {
    const require = createRequire(import.meta.url);
    return path.dirname(require.resolve('swagger-ui-dist/package.json'));
  } catch {
    // Resolving throws if the package is not installed, which is a result here.
    return null;
  }
}

/**
 * Serves the files of a folder from memory. A file is read and compressed at its first request. Missing files are not
 * remembered, so the memory is limited by the folder.
 */
function serveFiles(folder: string, names: RegExp, cacheControl: string): RequestHandler {
  const kept = new Map<string, Promise<Fixed | null>>();
  const find = (name: string): Promise<Fixed | null> => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const reading = read(path.join(folder, name));
    kept.set(name, reading);
    const forget = (): void => void kept.delete(name);
    reading.then((file) => file === null && forget(), forget);
    return reading;
  };
  return async (req, res, next) => {
    const name = req.path.slice(1);
    const file = ['GET', 'HEAD'].includes(req.method) && names.test(name) ? await find(name) : null;
    if (file === null) return next();
    res.type(path.extname(name)).set('Cache-Control', cacheControl);
    sendFixed(req, res, file);
  };
}

async function read(file: string): Promise<Fixed | null> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return null;
    throw error;
  });
  return content === null ? null : makeFixed(content);
}
