import { createServer } from 'node:http';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { TrackView } from '../../../src/domain/views/track-view.ts';
import { answerStarting } from '../../../src/http/pages/text-page.ts';
import { trackSummary } from '../../../src/http/pages/track-summary.ts';
import { openPort } from '../../open-port.ts';
import { aCreate, addVendor, call, DROP_OFF, openHouse } from '../house.ts';
import { wrongProblem } from '../routes.ts';

const house = await openHouse('pages');
let token = '';

beforeAll(async () => {
  const { key } = await addVendor(house);
  const instructions = '</script><script>alert(1)</script> $& <!--';
  const body = aCreate({ drop_off: { ...DROP_OFF, instructions } });
  const made = await call(house, 'POST /deliveries', { token: key, body });
  token = String(made.body['tracking_url']).split('/t/')[1] ?? '';
});

test('[H41] the page of a link contains its state as data that cannot break out', async () => {
  const page = await call(house, `GET /t/${token}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const [, json = ''] = /<script type="application\/json" id="state">(.*?)<\/script>/.exec(page.text) ?? [];
  const state = TrackView.parse(JSON.parse(json));
  expect(state.drop_off.instructions).toContain('</script><script>alert(1)</script> $&');
  // The state and the script that loads the page again.
  expect(page.text.match(/<script/g)?.length).toBe(2);
  const alone = await call(house, `GET /t/${token}/state`);
  expect(TrackView.parse(alone.body)).toMatchObject({ status: 'searching', sequence: 1, courier: null });
});

test('[H42] pages may load only our own files and sockets, and are neither kept nor indexed nor named', async () => {
  const { headers } = await call(house, `GET /t/${token}`);
  const policy = headers.get('content-security-policy') ?? '';
  const host = house.url.replace('http://', '');
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    `ws://${host}`,
    "frame-ancestors 'none'",
  ]) {
    expect(policy).toContain(part);
  }
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(headers.get('cache-control')).toBe('no-store');
  expect((await call(house, 'GET /console')).status).toBe(200);
});

test("[H54] who opens the server's address is led to the dispatcher's page", async () => {
  const { status, headers } = await call(house, 'GET /');
  expect([status, headers.get('location')]).toEqual([302, '/console']);
  expect((await call(house, `GET ${headers.get('location')}`)).status).toBe(200);
});

test('[H43] an unknown link is a plain 404 page and an expired one a plain 410 page; the state answers problems', async () => {
  const { links } = house.ctx;
  const given = { ...links };
  for (const unknown of ['x', 'A'.repeat(22), '%00', 'x'.repeat(2000)]) {
    const page = await call(house, `GET /t/${unknown}`);
    expect([unknown, page.status]).toEqual([unknown, 404]);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const state = await call(house, `GET /t/${unknown}/state`);
    expect([state.status, state.body['code']]).toEqual([404, 'tracking_link_not_found']);
    expect(wrongProblem(state)).toBeNull();
  }
  links.open = () => Promise.reject(new Refusal('tracking_link_expired'));
  const page = await call(house, `GET /t/${token}`);
  const state = await call(house, `GET /t/${token}/state`);
  links.open = () => Promise.reject(new Refusal('busy'));
  const busy = await call(house, `GET /t/${token}`);
  links.open = () => Promise.reject(new Error('a fault of ours'));
  const failed = await call(house, `GET /t/${token}`, { headers: { 'x-request-id': 'req_<b>&' } });
  Object.assign(links, given);
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
  expect(busy.text).toMatch(/class="stand-in"><h1>The server is too busy<.*loads again by itself/u);
  expect(busy.text).toContain('<meta http-equiv="refresh" content="3;url=?again=1">');
  // The page of a fault shows the reference by which the operator finds it, and does not ask for it again.
  expect([failed.status, failed.text]).toEqual([500, expect.stringContaining('<b>req_&lt;b>&amp;</b>')]);
  expect([failed.text, page.text].join('')).not.toContain('refresh');
  expect(page.text).toMatch(/class="stand-in"><h1>The tracking link has expired<.*ask the shop/u);
  expect([page.status, state.status, state.body['code']]).toEqual([410, 410, 'tracking_link_expired']);
});

test('[H531] while a server starts, people see a page that loads again, and machines a short text', async () => {
  const server = createServer(answerStarting);
  onTestFinished(() => void server.close());
  const url = `${await openPort(server)}/t/x`;
  const person = await fetch(url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([person.status, person.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await person.text()).toMatch(/http-equiv="refresh" content="3;url=\?again=1".*<h1>The server is starting</u);
  expect(person.headers.get('content-security-policy')).toContain("style-src 'unsafe-inline'");
  const machine = await fetch(url);
  expect([machine.status, await machine.text()]).toEqual([503, 'starting\n']);
});

test('[V140] a page that loads again by itself waits twice as long each time, and then has a button', async () => {
  const server = createServer(answerStarting);
  onTestFinished(() => void server.close());
  const base = await openPort(server);
  const read = async (query: string) => {
    const answer = await fetch(`${base}/console${query}`, { headers: { accept: 'text/html' } });
    return /content="\d+;url=[^"]*"|href="[^"]*"/u.exec(await answer.text())?.[0];
  };
  expect(await read('?status=late&q=%22')).toBe('content="3;url=?status=late&amp;q=%22&amp;again=1"');
  expect(await read('?again=1')).toBe('content="6;url=?again=2"');
  expect(await read('?again=5')).toBe('content="96;url=?again=6"');
  expect(await read('?status=late&again=6')).toBe('href="?status=late"');
  for (const odd of ['-1', 'x', '']) expect(await read(`?again=${odd}`)).toBe('content="3;url=?again=1"');
  expect(await read('?again=Infinity')).toBe('href="?"');
});

test('[V141] without JavaScript the tracking page names the vendor and the state', async () => {
  const state = {
    kind: 'delivery',
    status: 'in_transit',
    vendor: { name: 'A & <b>', accent: '#0b6e4f', logo: null },
  } as const;
  expect(trackSummary(state)).toBe('<h1>On the way</h1><p>Your delivery from <bdi>A &amp; &lt;b></bdi></p>');
  const back = { ...state, kind: 'return', status: 'delivered' } as const;
  expect(trackSummary(back)).toMatch(/^<h1>Returned<\/h1><p>Goods that go back to /);
  const { text } = await call(house, `GET /t/${token}?again=2`);
  expect(text).toMatch(/<noscript>.*<h1>Looking for a courier<\/h1>.*Your delivery from .*<\/noscript>/su);
});

test('[H44] a tracking token is in no log line', () => {
  expect(house.lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(house.lines)).not.toContain(token);
});

test('[H45] the reference page and built files come from here, and built files may be kept', async () => {
  const page = await call(house, 'GET /docs/reference');
  expect(page.text).toContain('/docs/assets/swagger-ui-bundle.js');
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js']) {
    const { status } = await call(house, `GET /docs/assets/${file}`);
    expect([file, status]).toEqual([file, 200]);
  }
  for (const file of ['package.json', '../package.json', '%2e%2e/package.json', 'nothing.js']) {
    expect([file, (await call(house, `GET /docs/assets/${file}`)).status]).toEqual([file, 404]);
  }
  const built = await call(house, 'GET /assets/page-abc123.js');
  expect([built.status, built.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await call(house, 'GET /assets/../../house.ts')).status).toBe(404);
  const old = 'Mon, 01 Jan 2001 00:00:00 GMT';
  for (const headers of [{ range: 'bytes=9999999-' }, { 'if-match': '"x"' }, { 'if-unmodified-since': old }] as Record<
    string,
    string
  >[]) {
    expect([headers, (await call(house, 'GET /assets/page-abc123.js', { headers })).status]).toEqual([headers, 200]);
    expect([headers, (await call(house, 'GET /docs/assets/swagger-ui.css', { headers })).status]).toEqual([
      headers,
      200,
    ]);
  }
});

test('[H46] machines read health, metrics and the description of the sockets', async () => {
  const before = house.ctx.clock.now();
  const health = await call(house, 'GET /healthz');
  expect(health.body).toMatchObject({ status: 'ok', clock_scale: 1 });
  expect(Number(health.body['now'])).toBeGreaterThanOrEqual(before);
  expect(Number(health.body['now'])).toBeLessThanOrEqual(house.ctx.clock.now());
  expect((await call(house, 'GET /metrics')).headers.get('content-type')).toContain('text/plain');
  expect((await call(house, 'GET /asyncapi.json')).body).toMatchObject({
    asyncapi: '3.0.0',
    channels: { courier: {} },
  });
});

test('[H99] a fixed document is compressed once, whatever encodings callers accept', async () => {
  for (const route of [
    'GET /openapi.json',
    'GET /docs/assets/swagger-ui-bundle.js',
    'GET /docs/assets/swagger-ui.css',
  ]) {
    const plain = await call(house, route, { headers: { 'accept-encoding': 'identity' } });
    for (const [accepted, used] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'gzip'],
      ['br', null],
      ['deflate', null],
      ['gzip;q=0, br;q=1', null],
    ] as const) {
      const answer = await call(house, route, { headers: { 'accept-encoding': accepted } });
      expect([accepted, answer.headers.get('content-encoding'), answer.text]).toEqual([accepted, used, plain.text]);
    }
  }
});
