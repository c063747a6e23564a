import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { trackState } from '../../dispatch/deliveries/track-state.ts';
import type { RefusalCode } from '../../domain/refusals/refusals.ts';
import type { Page } from '../endpoint.ts';
import { guardMetrics } from './guard-metrics.ts';
import type { HttpContext } from '../http-context.ts';
import { serverEntry } from '../openapi/server-entry.ts';
import { LOAD_AGAIN, LOAD_AGAIN_MARK } from './load-again.ts';
import { guardPage, keepPrivate } from './security-headers.ts';
import { serveFixed } from './serve-fixed.ts';
import { refusalPage, textPage } from './text-page.ts';
import { trackSummary } from './track-summary.ts';

/** Where `npm run docs` writes its documents. */
const GENERATED = path.join(import.meta.dirname, '..', '..', '..', 'docs');

/** The marks in the built pages that are replaced by the state, in words and as data, and by the map. */
const SUMMARY_MARK = '<!--summary-->';
const STATE_MARK = '<!--state-->';
const MAP_MARK = '<!--map-->';

/** The text for a recipient whose link does not open, below the title of the refusal. */
const ADVICE: Readonly<Partial<Record<RefusalCode, string>>> = {
  tracking_link_expired:
    'A tracking link works until shortly after the delivery. If something is missing, ask the shop.',
  tracking_link_not_found: 'Check that you copied the whole link, or open it again from your message.',
};

/** The pages for people, and the documents for machines. */
export const PAGES: readonly Page[] = [
  {
    kind: 'page',
    route: 'GET /',
    name: 'openHome',
    tag: 'Service',
    summary: "Redirect to the dispatcher's page",
    description: "Redirects a browser to the dispatcher's page.",
    type: 'text/html',
    status: 302,
    // The library would add a text that the document does not list.
    serve: () => (_req, res) => void res.status(302).location('/console').end(),
  },
  {
    kind: 'page',
    route: 'GET /t/{token}',
    name: 'openTrackingPage',
    tag: 'Tracking',
    summary: 'Page on which a recipient follows a delivery',
    description: 'Shows a recipient their delivery on a map. The token in the path is the credential.',
    type: 'text/html',
    guard: ({ map }) => [guardPage(map.origin), keepPrivate],
    serve: showDelivery,
    showRefusal: (problem, url, retryAfterS) => {
      const advice = ADVICE[problem.code];
      return advice === undefined
        ? refusalPage(problem, url, retryAfterS)
        : textPage(problem.title, `<p>${advice}</p>`);
    },
  },
  {
    kind: 'page',
    route: 'GET /console',
    name: 'openConsole',
    tag: 'Dispatch',
    summary: 'Page of the dispatchers',
    description: "Serves the dispatcher's page. Staff log in on the page itself.",
    type: 'text/html',
    guard: ({ map }) => [guardPage(map.origin), keepPrivate],
    serve: (ctx) => async (_req, res) => void res.type('html').send(await readPage(ctx, 'console')),
  },
  {
    kind: 'page',
    route: 'GET /metrics',
    name: 'getMetrics',
    tag: 'Service',
    summary: 'Metrics in the text format of Prometheus',
    description: 'Returns the metrics of this process for a scraper of Prometheus.',
    type: 'text/plain',
    guard: (ctx) => [guardMetrics(ctx), keepPrivate],
    serve: (ctx) => async (_req, res) => void res.type('text/plain').send(await ctx.metrics.text()),
  },
  {
    kind: 'page',
    route: 'GET /openapi.json',
    name: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'OpenAPI 3.1 document of this API',
    description: 'Returns this document. Clients can be generated from it.',
    type: 'application/json',
    serve: ({ settings }) => serveDocument('openapi.json', { servers: [serverEntry(settings.http.baseUrl)] }),
  },
  {
    kind: 'page',
    route: 'GET /asyncapi.json',
    name: 'getAsyncApiDocument',
    tag: 'Service',
    summary: 'AsyncAPI document of the sockets',
    description: 'Returns the AsyncAPI 3 document of the sockets for couriers, vendors, recipients and staff.',
    type: 'application/json',
    serve: () => serveDocument('asyncapi.json'),
  },
];

/** Serves a generated document with other values for some of its fields. */
function serveDocument(name: 'openapi.json' | 'asyncapi.json', over: object = {}): RequestHandler {
  return serveFixed('json', async () => {
    const document = JSON.parse(await readFile(path.join(GENERATED, name), 'utf8')) as object;
    return JSON.stringify({ ...document, ...over });
  });
}

function showDelivery(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const { delivery, caller } = await ctx.links.open(String(req.params['token']));
    const [page, state] = await Promise.all([readPage(ctx, 'track'), trackState(ctx, delivery, caller.stop)]);
    const summed = page.replace(SUMMARY_MARK, () => trackSummary(state));
    res.type('html').send(summed.replace(STATE_MARK, () => dataScript('state', state)));
  };
}

/** Data inside the page. It is escaped so that it cannot end the element. */
function dataScript(id: 'state' | 'map-source', content: object): string {
  const json = JSON.stringify(content).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** Reads the page at each request, and adds what is the same for all readers. It is small, and a new build is served without a restart. */
async function readPage({ webRoot, map }: HttpContext, name: 'track' | 'console'): Promise<string> {
  const page = await readFile(path.join(webRoot, name, 'index.html'), 'utf8');
  const { source } = map;
  return page
    .replace(LOAD_AGAIN_MARK, () => LOAD_AGAIN)
    .replace(MAP_MARK, () => (source === null ? '' : dataScript('map-source', source)));
}
