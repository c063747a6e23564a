import compression from 'compression';
import express, { type Express } from 'express';
import { Refusal } from '../domain/refusals/refusals.ts';
import { boundBodies } from './bodies/bound-bodies.ts';
import { answerErrors } from './error-handler.ts';
import type { HttpContext } from './http-context.ts';
import { mount } from './mount.ts';
import { refuseWithoutHost } from './requests/client-errors.ts';
import { giveRequestId } from './requests/request-id.ts';
import { chooseVersion } from './requests/service-version.ts';
import { followTrace } from './requests/tracing.ts';
import { ROUTES } from './routes.ts';
import { guardAnswers } from './pages/security-headers.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { serveAssets } from './pages/assets.ts';
import { serveMap } from './pages/serve-map.ts';
import { watchRequests } from './requests/watch-requests.ts';

/** Smaller answers, such as one delivery, are sent as they are: to compress them costs more than to send them. */
const COMPRESSED_FROM_BYTES = 8192;

/** Creates the HTTP side of the server: every route of the table, the pages, and problems for all other requests. */
export function createHttp(ctx: HttpContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(
    giveRequestId,
    followTrace,
    watchRequests(ctx),
    guardAnswers(ctx.isDevelopment),
    refuseWithoutHost,
    boundBodies(ctx),
  );
  app.use(chooseVersion);
  app.use(compression({ threshold: COMPRESSED_FROM_BYTES }));
  mount(app, ctx, ROUTES);
  app.use('/sandbox', createSandbox(ctx));
  serveAssets(app, ctx);
  serveMap(app, ctx);
  app.use(() => {
    throw new Refusal('route_not_found', { detail: '`GET /openapi.json` lists the paths of this server.' });
  });
  app.use(answerErrors(ctx));
  return app;
}
