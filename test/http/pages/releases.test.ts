import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { aCreate, addVendor, call, openHouse } from '../house.ts';
import { wrongProblem } from '../routes.ts';

const house = await openHouse('releases');
let tracking = '';

beforeAll(async () => {
  const { key } = await addVendor(house);
  const made = await call(house, 'POST /deliveries', { token: key, body: aCreate() });
  tracking = `GET /t/${String(made.body['tracking_url']).split('/t/')[1]}`;
});

test.each(['js', 'css', 'svg', 'html'])('[V100] a missing built file of type %s is a problem', async (type) => {
  const answer = await call(house, `GET /assets/track-Other123.${type}`, { headers: { accept: 'text/html' } });
  const { status, headers } = answer;
  expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
  expect(wrongProblem(answer)).toBeNull();
});

test('[V100] no cache keeps a problem', async () => {
  for (const route of [
    'GET /nothing',
    'GET /deliveries',
    'GET /t/x/state',
    'POST /deliveries',
    'GET /docs/assets/x.js',
  ]) {
    const { status, headers } = await call(house, route);
    expect([route, status >= 400, headers.get('cache-control')]).toEqual([route, true, 'no-store']);
  }
});

test('[V98] pages have the script that loads them again, and the policy allows it and no other one', async () => {
  for (const route of ['GET /console', tracking]) {
    const { text, headers } = await call(house, route);
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gsu)].map((match) => match[1] ?? '');
    const [script = ''] = scripts;
    expect([scripts.length, text.indexOf('<script>') < text.indexOf('</head>')]).toEqual([1, true]);
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`);
  }
});

test('[V98] a page that tries again finds out whether the server answers', async () => {
  for (const route of ['GET /console', tracking]) {
    expect((await call(house, route.replace('GET', 'HEAD'))).status).toBe(200);
  }
});
