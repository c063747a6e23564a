import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import { guardPage } from './security-headers.ts';

/** The files of the reference page that browsers ask for. */
const REFERENCE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const START_REFERENCE = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });\n`;

/** Serves what the pages load. The names of built files hold a hash of their content, so they may be kept for ever. */
export function serveAssets(app: Express, webRoot: string): void {
  const built = express.static(path.join(webRoot, 'assets'), { index: false, immutable: true, maxAge: '365d' });
  app.use('/assets', guardPage, wholeFiles, built);
  app.use('/docs/assets', guardPage, wholeFiles, serveReference());
}

/** These files are small and never change: parts and conditions of them would only be ways to an error. */
const wholeFiles: RequestHandler = ({ headers }, _res, next) => {
  for (const name of ['range', 'if-match', 'if-unmodified-since']) delete headers[name];
  next();
};

/** The folder of the reference page's package; null where only the packages of production are installed. */
export function findReference(): string | null {
  try {
    const require = createRequire(import.meta.url);
    return path.dirname(require.resolve('swagger-ui-dist/package.json'));
  } catch {
    // Resolving throws when the package is absent, which is an answer here.
    return null;
  }
}

function serveReference(): RequestHandler {
  const folder = findReference();
  return (req, res, next) => {
    const file = req.path.slice(1);
    if (file === 'start.js') res.type('text/javascript').send(START_REFERENCE);
    else if (folder !== null && REFERENCE_FILES.includes(file)) res.sendFile(file, { root: folder, maxAge: '1d' });
    else next();
  };
}
