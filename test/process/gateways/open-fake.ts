import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { openPort } from '../../open-port.ts';

/** A request that a fake gateway hears. */
export type Heard = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Told = { readonly status: number; readonly json: object };

/** The faults that the next request gets instead of an answer. If it is `lost`, the fake has carried out the request. */
export type Fault = 'unavailable' | 'silence' | 'limited' | 'unauthorized' | 'lost';
const FAULTS = { unavailable: 503, limited: 429, unauthorized: 401, lost: 502 } as const;

/** A server on this machine that answers like a gateway, and breaks down on request. */
export async function openFake(reply: (heard: Heard) => Told) {
  const faults: Fault[] = [];
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', headers } = request;
      const one = { method, url: new URL(request.url ?? '', 'http://fake'), headers, body };
      heard.push(one);
      const fault = faults.shift();
      if (fault === 'silence') return;
      const told = fault === undefined || fault === 'lost' ? reply(one) : null;
      const { status, json } = fault === undefined && told !== null ? told : problemOf(fault ?? 'unavailable');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  const url = await openPort(server);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, faults, heard };
}

function problemOf(fault: Exclude<Fault, 'silence'>): Told {
  return { status: FAULTS[fault], json: { error: { type: 'api_error', message: 'a fault of the fake' } } };
}
