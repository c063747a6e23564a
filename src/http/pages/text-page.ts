import type { RequestListener } from 'node:http';
import type { Problem } from '../../domain/refusals/refusals.ts';
import { STAND_IN_STYLE } from './load-again.ts';

/** Seconds after which a server that starts is worth a repeat. */
const START_RETRY_S = 1;
/** The shortest wait of a page that loads again, seconds. Nobody reads faster, and a busy server has many readers. */
const LEAST_RELOAD_S = 3;
const LOADS_AGAIN = 'This page loads again by itself in a moment.';

const POLICY = "default-src 'none';style-src 'unsafe-inline';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** Creates a page of one short text. It loads again by itself after about `retryAfterS`; never if that is null. */
export function textPage(title: string, text: string, retryAfterS: number | null): string {
  // The browser does so without a script, which the policy of the page would have to allow.
  const again =
    retryAfterS === null ? '' : `<meta http-equiv="refresh" content="${Math.max(LEAST_RELOAD_S, retryAfterS)}">`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${again}` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STAND_IN_STYLE}</style></head>` +
    `<body><main class="stand-in"><h1>${title}</h1><p>${text}</p></main></body></html>`
  );
}

/** Creates the page of a refusal that has no advice of its own. */
export function refusalPage({ code, title, request_id: id }: Problem, retryAfterS: number | null): string {
  if (code !== 'internal_error') return textPage(title, LOADS_AGAIN, retryAfterS);
  // The id is the caller's own if they sent one, so it may hold any character.
  const reference = id.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const advice = `Reload the page in a moment. If it fails again, tell the shop this reference: <b>${reference}</b>`;
  return textPage(title, advice, null);
}

/** Answers requests during the start: the port is open before the other parts are built. */
export const answerStarting: RequestListener = ({ headers }, response) => {
  const isPerson = headers.accept?.includes('text/html') === true;
  response.writeHead(503, {
    'retry-after': String(START_RETRY_S),
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'content-type': isPerson ? 'text/html; charset=utf-8' : 'text/plain',
  });
  const page = () => textPage('The server is starting', LOADS_AGAIN, START_RETRY_S);
  response.end(isPerson ? page() : 'starting\n');
};
