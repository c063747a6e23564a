import { once } from 'node:events';
import { copyFileSync, readFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LOAD_AGAIN_SOURCE } from '../../../src/http/pages/load-again.ts';
import { NO_MAP, pathOf } from '../../../src/http/pages/page-map.ts';
import { openMap } from '../../../src/process/map/open-map.ts';
import { temporaryDir } from '../../embedded/house.ts';
import { SHIPPED_TILES } from '../../embedded/map/shipped-tiles.ts';
import { addServer, call, openHouse, type Answer } from '../house.ts';

const house = await openHouse('map');
const served = await openMap({ MAP_TILES: SHIPPED_TILES });
const servers = [
  await addServer(house, { map: served }),
  await addServer(house, { map: await openMap({ MAP_TILES: SHIPPED_TILES }) }),
];
const [first = house, second = house] = servers;
const address = served.source !== null && 'tiles' in served.source ? served.source.tiles : '';
const content = readFileSync(SHIPPED_TILES);

function get(range: string | null, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return call(first, `${method} ${address}`, { headers: { ...headers, ...(range !== null && { range }) } });
}

function policyOf({ headers }: Answer, directive: string): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const found = policy.split(';').find((one) => one.trim().startsWith(`${directive} `));
  return (found ?? '').trim().split(' ').slice(1);
}

test('[H460] ranges of the file are served, and caches may keep them for ever', async () => {
  const headers = { range: 'bytes=100-20099', 'accept-encoding': 'gzip' };
  const answer = await fetch(`${first.url}${address}`, { headers });
  expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes 100-20099/${content.length}`]);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  // Tiles are compressed already, and this range is long enough to be compressed.
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content.subarray(100, 20_100));
  const etag = answer.headers.get('etag') ?? '';
  expect((await get('bytes=100-299', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  const head = await get('bytes=0-9', {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.text]).toEqual([206, '10', '']);
  const end = await get(`bytes=${content.length - 5}-${content.length + 1000}`);
  expect([end.status, end.headers.get('content-length')]).toEqual([206, '5']);
});

test('[H460] a request without one short range within the file is refused', async () => {
  for (const range of [null, 'bytes=0-9,20-29', `bytes=${content.length}-`, 'bytes=9-1', 'lines=0-1', 'bytes=']) {
    const { status, body, headers } = await get(range);
    expect([range, status, body['code']]).toEqual([range, 400, 'invalid_params']);
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  }
  expect((await get('bytes=0-')).status).toBe(206);
  expect((await call(first, `GET ${address.replace(/\w+\.pmtiles/u, 'other.pmtiles')}`)).status).toBe(404);
});

test('[H460] a range of more than 4 MiB is refused', async () => {
  const file = path.join(temporaryDir(), 'large.pmtiles');
  copyFileSync(SHIPPED_TILES, file);
  const most = 4 * 1024 * 1024;
  truncateSync(file, most + 1);
  const map = await openMap({ MAP_TILES: file });
  const server = await addServer(house, { map });
  const lengthOf = async (range: string) => {
    const answer = await fetch(`${server.url}${pathOf(map.file ?? { name: '' })}`, { headers: { range } });
    return [answer.status, (await answer.arrayBuffer()).byteLength];
  };
  expect(await lengthOf(`bytes=0-${most - 1}`)).toEqual([206, most]);
  expect(await lengthOf(`bytes=1-${most}`)).toEqual([206, most]);
  for (const range of [`bytes=0-${most}`, 'bytes=0-', `bytes=-${most + 1}`]) {
    expect([range, (await lengthOf(range))[0]]).toEqual([range, 400]);
  }
});

test('[H460] readers that go away in the middle of a range leave the map to the others', async () => {
  const file = path.join(temporaryDir(), 'large.pmtiles');
  copyFileSync(SHIPPED_TILES, file);
  const bytes = 4 * 1024 * 1024;
  truncateSync(file, bytes);
  const map = await openMap({ MAP_TILES: file });
  const { url } = await addServer(house, { map });
  const route = pathOf(map.file ?? { name: '' });
  for (let reader = 0; reader < 10; reader += 1) {
    const socket = connect(Number(new URL(url).port), new URL(url).hostname);
    socket.write(`GET ${route} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-${bytes - 1}\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
    const answer = await fetch(`${url}${route}`, { headers: { range: 'bytes=0-99' } });
    expect([reader, answer.status]).toEqual([reader, 206]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content.subarray(0, 100));
  }
});

test('[H460] every process with the same file gives the same answers under the same address', async () => {
  for (const server of [first, second]) {
    const page = await call(server, 'GET /console');
    expect(page.text).toContain(`<script type="application/json" id="map-source">{"tiles":"${address}"}</script>`);
  }
  const range = { range: 'bytes=500-900' };
  const [one, other] = await Promise.all(servers.map((server) => call(server, `GET ${address}`, { headers: range })));
  expect([other?.text, other?.headers.get('etag')]).toEqual([one?.text, one?.headers.get('etag')]);
});

test('[H461] the policy opens for exactly the origin of the map, on the pages and for their workers', async () => {
  const key = '/style.json?key=</script><b>';
  for (const [map, origin] of [
    [NO_MAP, null],
    [served, null],
    [await openMap({ MAP_TILES: 'https://tiles.example:8443/city.pmtiles' }), 'https://tiles.example:8443'],
    [await openMap({ MAP_STYLE_URL: `https://maps.example${key}` }), 'https://maps.example'],
  ] as const) {
    const server = await addServer(house, { map });
    for (const route of ['GET /console', 'GET /assets/page-abc123.js']) {
      const answer = await call(server, route);
      const own = policyOf(answer, 'connect-src').filter(
        (source) => !/^(?:'self'|wss?:\/\/localhost:\d+|wss?:\/\/127\.0\.0\.1:\d+)$/u.test(source),
      );
      expect([route, own]).toEqual([route, origin === null ? [] : [origin]]);
      expect(policyOf(answer, 'img-src').filter((source) => source.includes('//'))).toEqual(own);
      expect(policyOf(answer, 'script-src')).toEqual(["'self'", LOAD_AGAIN_SOURCE]);
    }
    expect(policyOf(await call(server, 'GET /docs'), 'connect-src').join(' ')).not.toContain('example');
  }
});

test('[H461] the address of a map cannot break out of the page', async () => {
  const server = await addServer(house, { map: await openMap({ MAP_STYLE_URL: 'https://maps.example/</script><b>' }) });
  const [page, bare] = await Promise.all([server, house].map((each) => call(each, 'GET /console')));
  const scriptsIn = (text = ''): number => text.split('</script>').length - 1;
  expect(scriptsIn(page?.text)).toBe(scriptsIn(bare?.text) + 1);
  expect(bare?.text).not.toContain('map-source');
});

test('[H462] a file that is replaced is served as it was, until the next start', async () => {
  const file = path.join(temporaryDir(), 'city.pmtiles');
  copyFileSync(SHIPPED_TILES, file);
  const map = await openMap({ MAP_TILES: file });
  const server = await addServer(house, { map });
  writeFileSync(`${file}.new`, Buffer.alloc(content.length, 'x'));
  renameSync(`${file}.new`, file);
  const answer = await fetch(`${server.url}${address}`, { headers: { range: 'bytes=0-99' } });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content.subarray(0, 100));
});

test('[H463] a file that is overwritten is not served under the address of its old content', async () => {
  const file = path.join(temporaryDir(), 'city.pmtiles');
  const other = Buffer.alloc(content.length, 'x');
  const overwrites = [
    () => writeFileSync(file, other),
    () => writeFileSync(file, other.subarray(0, 1000)),
    // rsync also gives it the time of the other file.
    () => (writeFileSync(file, Buffer.concat([content, other])), utimesSync(file, 0, 0)),
  ];
  for (const overwrite of overwrites) {
    copyFileSync(SHIPPED_TILES, file);
    utimesSync(file, 0, 0);
    const server = await addServer(house, { map: await openMap({ MAP_TILES: file }) });
    const ask = () => call(server, `GET ${address}`, { headers: { range: 'bytes=0-99' } });
    expect((await ask()).status).toBe(206);
    overwrite();
    const before = house.lines.length;
    for (const { status, body, headers } of [await ask(), await ask()]) {
      expect([status, body['code']]).toEqual([503, 'map_changed']);
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    }
    expect(house.lines.slice(before).filter(({ fields }) => fields['map_tiles'] === file)).toHaveLength(1);
  }
});
