import { expect, test } from 'vitest';
import { openHouse, type Answer } from '../house.ts';
import { rawClient } from '../raw.ts';
import { wrongProblem } from '../routes.ts';

const HEAD_MS = 300;
const house = await openHouse('client_errors', (settings) => ({
  ...settings,
  http: { ...settings.http, headRealMs: HEAD_MS },
}));
const raw = rawClient(house);

/** Sends bytes and reads the answer. */
async function answerTo(bytes: string): Promise<Answer> {
  const text = await raw(bytes);
  const [top = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = top.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  return { status: Number(first.split(' ')[1]), text: json, body: JSON.parse(json), headers };
}

const get = (...headers: string[]): string => ['GET /healthz HTTP/1.1', ...headers, '', ''].join('\r\n');
const chunked = (path: string, chunk: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`;

test.each<[string, string, number, string, RegExp]>([
  ['that is not HTTP', 'hello\r\n\r\n', 400, 'malformed_request', /The parser reports: /],
  ['with a folded header', get('Host: x', 'X-A: 1', ' b'), 400, 'malformed_request', /The parser reports: /],
  ['without a host', get('X-A: 1'), 400, 'malformed_request', /`Host` must be given/],
  ['with large headers', get('Host: x', `X-A: ${'x'.repeat(40_000)}`), 431, 'headers_too_large', /at most 16384 bytes/],
  ['whose head does not arrive', 'GET /healthz HTTP/1.1\r\nHost:', 408, 'slow_request', /within 0\.3 seconds/],
])(
  '[H100] a request %s is refused with a problem, and its connection ends',
  async (_what, bytes, status, code, detail) => {
    const answer = await answerTo(bytes);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(answer.body['detail']).toMatch(detail);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.get('x-request-id')).toBe(answer.body['request_id']);
    expect(wrongProblem(answer)).toBeNull();
  },
);

test('[H100] a request whose body cannot be parsed never gets two answers', async () => {
  for (const path of ['/auth/otp', '/no/such/path']) {
    const text = await raw(chunked(path, 'zz\r\n'));
    expect((text.match(/HTTP\/1\.1 /g) ?? []).length).toBeLessThanOrEqual(1);
  }
});
