import type { RequestListener } from 'node:http';
import type { Problem } from '../../domain/refusals/refusals.ts';
import { STAND_IN_STYLE } from './load-again.ts';

/** Seconds after which a server that starts is worth a repeat. */
const START_RETRY_S = 1;
/** The shortest wait of a page that loads again, seconds. Nobody reads faster, and a busy server has many readers. */
const LEAST_RELOAD_S = 3;
/** How often a page loads again by itself, after waits that double. That is three minutes after the shortest ones. */
const MOST_RELOADS = 6;
/** The field of a query in which such a page counts its loads. Its policy allows no script that could. */
const RELOADS = 'again';
const LOADS_AGAIN = 'This page loads again by itself in a moment.';

const POLICY = "default-src 'none';style-src 'unsafe-inline';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** Creates a page of one short text. */
export function textPage(title: string, text: string, head = ''): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STAND_IN_STYLE}</style></head>` +
    `<body><main class="stand-in"><h1>${title}</h1>${text}</main></body></html>`
  );
}

/** Creates a page that loads again by itself after about `retryAfterS`, a few times. Then it has a button for that. */
function againPage(title: string, url: string, retryAfterS: number): string {
  const query = new URLSearchParams(url.split('?')[1]);
  const reloads = Math.max(0, Math.trunc(Number(query.get(RELOADS))) || 0);
  query.delete(RELOADS);
  if (reloads >= MOST_RELOADS) {
    return textPage(title, `<p>Try again in a few minutes.</p><a href="?${asText(query.toString())}">Try again</a>`);
  }
  query.set(RELOADS, String(reloads + 1));
  const waitS = Math.max(LEAST_RELOAD_S, retryAfterS) * 2 ** reloads;
  const refresh = `<meta http-equiv="refresh" content="${waitS};url=?${asText(query.toString())}">`;
  return textPage(title, `<p>${LOADS_AGAIN}</p>`, refresh);
}

/** Text of a caller inside a page. */
export function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Creates the page of a refusal that has no advice of its own, for a request to this URL. */
export function refusalPage({ code, title, request_id: id }: Problem, url: string, retryAfterS: number | null): string {
  if (code !== 'internal_error') return againPage(title, url, retryAfterS ?? LEAST_RELOAD_S);
  // The id is the caller's own if they sent one, so it may hold any character.
  const advice = `Reload the page in a moment. If it fails again, tell the shop this reference: <b>${asText(id)}</b>`;
  return textPage(title, `<p>${advice}</p>`);
}

/** Answers requests during the start: the port is open before the other parts are built. */
export const answerStarting: RequestListener = ({ headers, url = '' }, response) => {
  const isPerson = headers.accept?.includes('text/html') === true;
  response.writeHead(503, {
    'retry-after': String(START_RETRY_S),
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'content-type': isPerson ? 'text/html; charset=utf-8' : 'text/plain',
  });
  const page = () => againPage('The server is starting', url, START_RETRY_S);
  response.end(isPerson ? page() : 'starting\n');
};
