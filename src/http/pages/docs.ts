import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { marked } from 'marked';
import { ADVICE } from '../../domain/refusals/advice.ts';
import { REFUSALS, Refusal, type RefusalCode } from '../../domain/refusals/refusals.ts';
import type { Page } from '../endpoint.ts';
import { findReference } from './assets.ts';
import { docsPage, REFERENCE_STYLE } from './docs-shell.ts';
import { GUIDES } from './guide-list.ts';
import { guardPage } from './security-headers.ts';
import { serveFixed } from './serve-fixed.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'guides');
const tag = 'Service';
const type = 'text/html';

/** The guides, the reference and the pages of the problem codes. None of them needs another server. */
export const DOCS: readonly Page[] = [
  {
    kind: 'page',
    route: 'GET /docs',
    name: 'openDocs',
    tag,
    summary: 'Page with the guides',
    description: 'Serves the first guide, with links to all others. The pages work without access to the internet.',
    type,
    serve: () => showFixed(() => guidePage('getting-started')),
  },
  {
    kind: 'page',
    route: 'GET /docs/guides/{name}',
    name: 'openGuide',
    tag,
    summary: 'Page with one guide',
    description: 'Serves one guide by its name, such as `webhooks`.',
    type,
    param: { name: 'name', description: 'Name of the guide.', values: GUIDES.map(({ name }) => name) },
    serve: () =>
      showNamed(
        'name',
        GUIDES.map(({ name }) => name),
        guidePage,
      ),
  },
  {
    kind: 'page',
    route: 'GET /docs/problems',
    name: 'openProblems',
    tag,
    summary: 'Page with all problem codes',
    description: 'Lists the codes of all problems with their status and their title.',
    type,
    serve: () => showFixed(problemsPage),
  },
  {
    kind: 'page',
    route: 'GET /docs/problems/{code}',
    name: 'openProblem',
    tag,
    summary: 'Page with one problem code',
    description:
      'Explains one code: its meaning, when it appears and what a caller can do. `type` of a problem links here.',
    type,
    param: { name: 'code', description: 'Code of the problem.', values: Object.keys(REFUSALS) },
    serve: () => showNamed('code', CODES, problemPage),
  },
  {
    kind: 'page',
    route: 'GET /docs/reference',
    name: 'openReference',
    tag,
    summary: 'Page with this reference',
    description: 'Serves this reference as a page on which requests can be tried.',
    type,
    serve: () => showFixed(referencePage),
  },
];

const CODES = Object.keys(REFUSALS) as RefusalCode[];

async function guidePage(name: string): Promise<string> {
  const text = await readFile(path.join(FOLDER, `${name}.md`), 'utf8');
  const title = GUIDES.find((guide) => guide.name === name)?.title ?? name;
  return docsPage(title, `/docs/guides/${name}`, await marked.parse(text));
}

function problemsPage(): string {
  const rows = CODES.map((code) => {
    const { status, title } = REFUSALS[code];
    return `<tr><td>${status}</td><td><a href="/docs/problems/${code}"><code>${code}</code></a></td><td>${title}</td></tr>`;
  });
  const head = '<tr><th>Status</th><th>Code</th><th>Title</th></tr>';
  const about =
    '<h1>Problem codes</h1><p>Every refusal is a problem object with one of these codes. The codes never change their ' +
    'meaning. New ones may be added.</p>';
  return docsPage('Problem codes', '/docs/problems', `${about}<table>${head}${rows.join('')}</table>`);
}

async function problemPage(code: string): Promise<string> {
  const row: { status: number; title: string; retryable?: true; detail?: string } = REFUSALS[code as RefusalCode];
  const retry =
    row.retryable === true
      ? 'The same request may succeed later without a change. Wait as long as `Retry-After` says.'
      : 'The same request fails again until something changes.';
  const text = [
    `# ${row.title}`,
    `\`${code}\`, HTTP status ${row.status}`,
    ...(row.detail === undefined ? [] : ['## Meaning', row.detail]),
    '## Next step',
    ADVICE[code as RefusalCode],
    '## Retry',
    retry,
    '[All problem codes](/docs/problems)',
  ].join('\n\n');
  return docsPage(row.title, '/docs/problems', await marked.parse(text));
}

function referencePage(): string {
  if (findReference() === null) {
    const content = '<h1>The reference page is not installed</h1><p>The document itself is at /openapi.json.</p>';
    return docsPage('Reference', '/docs/reference', content);
  }
  const scripts = ['swagger-ui-bundle.js', 'start.js'].map((file) => `<script src="/docs/assets/${file}"></script>`);
  const style = `<link rel="stylesheet" href="/docs/assets/swagger-ui.css"><style>${REFERENCE_STYLE}</style>`;
  return docsPage('Reference', '/docs/reference', '<div id="reference"></div>', style, scripts.join(''));
}

/** Serves a page that never changes. */
function showFixed(make: () => Promise<string> | string): RequestHandler[] {
  return [guardPage(null), serveFixed('html', make)];
}

/** Serves one page for each of these names. Any other name is an unknown path. */
function showNamed(
  param: 'name' | 'code',
  names: readonly string[],
  make: (name: string) => Promise<string>,
): RequestHandler[] {
  const shows = new Map(names.map((name) => [name, serveFixed('html', () => make(name))]));
  const show: RequestHandler = (req, res, next) => {
    const found = shows.get(String(req.params[param]));
    if (found === undefined) throw new Refusal('route_not_found', { detail: 'There is no page with this name.' });
    return found(req, res, next);
  };
  return [guardPage(null), show];
}
