import { maxHeaderSize, STATUS_CODES, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { API_VERSION } from '../../domain/deliveries/events.ts';
import { newId } from '../../domain/ids.ts';
import { presentRefusal } from '../../domain/refusals/present-refusal.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { counted, showText } from '../../domain/refusals/shown-text.ts';

/** Most characters of the parser's reason in an answer. */
const MOST_OF_REASON = 80;

type ParserError = NodeJS.ErrnoException & { readonly reason?: string };

/** Answers requests that Node could not parse with a problem. Without this Node answers with a bare status. */
export function answerClientErrors(server: Server, headRealMs: number): void {
  server.on('clientError', (error: ParserError, socket) => {
    if (socket instanceof Socket && socket.writable && !isAnswering(socket)) {
      socket.write(answerOf(refusalOf(error, headRealMs)));
      socket.destroySoon();
    } else {
      socket.destroy();
    }
  });
}

/** Refuses a request of HTTP/1.1 without `Host`, which Node would answer with a bare status. */
export const refuseWithoutHost: RequestHandler = (req, res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    res.setHeader('Connection', 'close');
    throw new Refusal('malformed_request', { detail: 'The header `Host` must be given in HTTP/1.1.' });
  }
  next();
};

/** Says whether a part of an answer has been sent. A second answer would become a part of its body. */
function isAnswering(socket: Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function refusalOf({ code = '', reason = '' }: ParserError, headRealMs: number): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headers_too_large', {
        detail: `The request line and the headers must have at most ${maxHeaderSize} bytes together.`,
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Refusal('payload_too_large', { detail: 'The extensions of the chunks must be left out.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('slow_request', {
        detail: `The head of the request must arrive within ${counted(headRealMs / 1000, 'second')}.`,
      });
    default:
      return new Refusal('malformed_request', {
        detail: `The request must be valid HTTP/1.1. The parser reports: ${showText(reason || code, MOST_OF_REASON)}.`,
      });
  }
}

function answerOf(refusal: Refusal): string {
  const problem = presentRefusal(refusal, newId('req'));
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.request_id}`,
    `Service-Version: ${API_VERSION}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
