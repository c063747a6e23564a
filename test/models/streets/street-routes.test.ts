import { describe, expect, test } from 'vitest';
import { distanceM, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { decodePolyline, encodePolyline } from '../../../src/domain/geo/polyline.ts';
import { until } from '../../until.ts';
import {
  FAILURES,
  json,
  osrmRoute,
  place,
  placesOfUrl,
  routesBy,
  routingServer,
  valhallaRoute,
} from './routing-house.ts';

const [A, B, C] = [
  { lat: 52.52, lng: 13.405 },
  { lat: 52.52, lng: 13.435 },
  { lat: 52.547, lng: 13.435 },
];
const WAY = [A, B, C];

describe('a route', () => {
  test('[K15] of an OSRM goes through all places in their order, and joins the lines of its steps', async () => {
    const server = await routingServer(osrmRoute);
    const { routes, timed } = routesBy(`${server.url}/{profile}/`);
    const route = await routes.route(WAY, 'bicycle');
    const lines = route?.legs.map(({ polyline }) => decodePolyline(polyline));
    expect(lines).toEqual([
      [A, expect.anything(), B],
      [B, expect.anything(), C],
    ]);
    expect(route?.distanceM).toBe(Math.round(1.5 * (distanceM(A, B) + distanceM(B, C))));
    expect(route?.durationS).toBe(Math.round(0.3 * (distanceM(A, B) + distanceM(B, C))));
    expect(server.asked.map(({ url }) => url)).toEqual([
      expect.stringMatching(
        /^\/bike\/route\/v1\/bike\/[\d.,;]+\?overview=false&steps=true&geometries=polyline6&radiuses=200;200;200$/,
      ),
    ]);
    expect(timed).toEqual(['ok']);
  });

  test('[K15] of a Valhalla has the costing of its vehicle', async () => {
    const server = await routingServer(valhallaRoute);
    const { routes } = routesBy(server.url, { routerKind: 'valhalla' });
    const route = await routes.route(WAY, 'scooter');
    const secondsOf = (from: Coordinates, to: Coordinates) => Math.round(0.3 * distanceM(from, to));
    expect(route?.legs.map(({ durationS }) => durationS)).toEqual([secondsOf(A, B), secondsOf(B, C)]);
    expect(route?.distanceM).toBe(Math.round(1.5 * (distanceM(A, B) + distanceM(B, C))));
    expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({
      costing: 'motor_scooter',
      units: 'kilometers',
      directions_type: 'none',
      locations: [{ lat: A.lat, lon: A.lng, search_cutoff: 200 }, {}, {}],
    });
  });

  test('[K16] is missing if there is no way, a place was moved or the way is impossible, and that is remembered', async () => {
    const refusing = (body: object) => routingServer((_asked, response) => json(response, body, 400));
    const osrm = await refusing({ code: 'NoSegment' });
    const valhalla = await refusing({ error_code: 442 });
    const strict = await refusing({ error_code: 154 });
    const moving = await routingServer((asked, response) =>
      osrmRoute({ ...asked, url: asked.url.replace(/;[\d.,]+\?/, ';13.5,52.6?') }, response),
    );
    // The way is one and a half times as long as its line, or takes no time.
    const sums = { distance: 1.5 * distanceM(A, B), duration: 300 };
    const legOf = (over: object) => ({ ...sums, steps: [{ geometry: encodePolyline([A, B]) }], ...over });
    const telling = (over: object) =>
      routingServer((_asked, response) => json(response, { code: 'Ok', routes: [{ legs: [legOf(over)] }] }));
    for (const [server, kind, result] of [
      [osrm, 'osrm', 'no_way'],
      [valhalla, 'valhalla', 'no_way'],
      [strict, 'valhalla', 'refused'],
      [moving, 'osrm', 'moved'],
      [await telling({}), 'osrm', 'unsound'],
      [await telling({ distance: distanceM(A, B), duration: 3 }), 'osrm', 'unsound'],
      [await telling({ distance: distanceM(A, B), duration: 30_000 }), 'osrm', 'unsound'],
    ] as const) {
      const { routes, timed } = routesBy(server.url, { routerKind: kind });
      expect([await routes.route([A, B], 'car'), await routes.route([A, B], 'car')]).toEqual([null, null]);
      expect([server.asked.length, timed]).toEqual([1, [result]]);
    }
  });

  test('[K14] comes from the server’s own Valhalla while it answers, and from its memory also while it does not', async () => {
    const server = await routingServer(valhallaRoute);
    let url: string | null = null;
    const { routes, timed } = routesBy('', {}, () => url);
    expect([await routes.route(WAY, 'car'), timed]).toEqual([null, []]);
    url = server.url;
    expect(await routes.route(WAY, 'car')).not.toBeNull();
    url = null;
    expect(await routes.route(WAY, 'car')).not.toBeNull();
    expect(await routes.route(WAY, 'bicycle')).toBeNull();
    expect(server.asked).toHaveLength(1);
    url = `${server.url}/other`;
    expect(routes.knownRoute(WAY, 'car')).toBeNull();
    expect(await routes.route(WAY, 'car')).not.toBeNull();
    expect(server.asked).toHaveLength(2);
  });
});

describe('a remembered route', () => {
  test('[K18] serves places that round to the same, for one hour, vehicle by vehicle', async () => {
    const server = await routingServer(osrmRoute);
    const { routes, clock } = routesBy(server.url);
    const exact: Coordinates[] = [
      { lat: 52.52, lng: 13.405 },
      { lat: 52.53, lng: 13.42 },
    ];
    const beside = exact.map(({ lat, lng }) => ({ lat: lat + 0.00004, lng: lng - 0.00004 }));
    expect(routes.knownRoute(exact, 'car')).toBeNull();
    const route = await routes.route(beside, 'car');
    expect(placesOfUrl(server.asked[0]?.url ?? '')).toEqual(exact);
    expect([routes.knownRoute(exact, 'car'), await routes.route(exact, 'car')]).toEqual([route, route]);
    expect([routes.knownRoute(exact, 'van'), routes.knownRoute(exact.toReversed(), 'car')]).toEqual([null, null]);
    expect(server.asked).toHaveLength(1);
    await clock.advance(3_600_000);
    expect(routes.knownRoute(exact, 'car')).toBeNull();
    await routes.route(exact, 'car');
    expect(server.asked).toHaveLength(2);
  });

  test('[K18] makes room if the memory is full and it is the oldest', async () => {
    // A zigzag, of which no corner can be left out.
    const long = Array.from({ length: 451 }, (_, at) => place(10 * at, 30 * (at % 2)));
    const longM = long.reduce((sum, point, at) => sum + distanceM(long[at - 1] ?? point, point), 0);
    const server = await routingServer((asked, response) => {
      const [from, to] = placesOfUrl(asked.url);
      const ends = [[from!], long, [to!, to!]].map(encodePolyline);
      const steps = ends.map((geometry) => ({ geometry }));
      json(response, {
        code: 'Ok',
        routes: [{ legs: [{ distance: longM + distanceM(long.at(-1)!, to!), duration: 3000, steps }] }],
      });
    });
    const { routes } = routesBy(server.url, { routeMemoryMb: 1 });
    const ways = Array.from({ length: 320 }, (_, at) => [place(0), place(1000 + 20 * at)]);
    for (const way of ways) await routes.route(way, 'car');
    const known = ways.map((way) => routes.knownRoute(way, 'car') !== null);
    const kept = known.filter((isKnown) => isKnown).length;
    // A line has about 1,800 characters, and 500,000 fit.
    expect(kept).toBeGreaterThan(200);
    expect(kept).toBeLessThan(319);
    expect(known).toEqual(ways.map((_, at) => at >= ways.length - kept));
  });

  test('[K18] is requested once at a time, and at most 64 routes are requested at once', async () => {
    const waiting: (() => void)[] = [];
    const server = await routingServer((asked, response) => void waiting.push(() => osrmRoute(asked, response)));
    const { routes } = routesBy(server.url);
    const ways = Array.from({ length: 80 }, (_, at) => [place(0), place(1000 + 100 * at)]);
    const all = Promise.all([...ways, ways[0]!].map((way) => routes.route(way, 'car')));
    await until(() => waiting.length === 64);
    for (const answer of waiting) answer();
    const found = (await all).map((route) => route !== null);
    expect(found).toEqual([...ways.map((_, at) => at < 64), true]);
    expect(server.asked).toHaveLength(64);
  });
});

describe('a routing server that fails', () => {
  const broken = Object.entries(FAILURES).filter(([why]) => !why.includes('table'));
  const others = {
    'answers another number of legs': { code: 'Ok', routes: [{ legs: [] }] },
    'answers a broken line': {
      code: 'Ok',
      routes: [{ legs: Array(2).fill({ distance: 9, duration: 9, steps: [{ geometry: ' ' }] }) }],
    },
    'answers an unknown error': { code: 'InvalidQuery' },
  };

  test.each(broken)('[K17] and %s gives no route and no error, and the next request goes on', async (why, answer) => {
    const server = await routingServer(answer);
    const isLate = why.startsWith('answers late');
    const { routes, timed } = routesBy(server.url, isLate ? { routeBudgetRealMs: 100 } : {});
    expect(await routes.route(WAY, 'car')).toBeNull();
    expect(timed).toEqual([isLate ? 'late' : 'failed']);
    server.state.answer = osrmRoute;
    if (!isLate) expect(await routes.route(WAY, 'car')).not.toBeNull();
  });

  test.each(Object.entries(others))('[K17] and %s gives no route', async (_why, body) => {
    const { url } = await routingServer((_asked, response) => json(response, body));
    const { routes, timed } = routesBy(url);
    expect(await routes.route(WAY, 'car')).toBeNull();
    expect(timed).toEqual(['failed']);
  });

  test('[K17] and answers without end is cut off', async () => {
    const { url } = await routingServer((_asked, response) => {
      const send = (): void => void (response.destroyed || response.write('x'.repeat(1_000_000), send));
      send();
    });
    const { routes, timed } = routesBy(url);
    expect(await routes.route(WAY, 'car')).toBeNull();
    expect(timed).toEqual(['failed']);
  });

  test('[K17] five times in a row gets no request for 5 s, and then one as a test', async () => {
    const server = await routingServer((_asked, response) => json(response, {}, 503));
    const { routes, clock, log } = routesBy(server.url);
    const ask = (at: number) => routes.route([place(0), place(1000 + 100 * at)], 'car');
    for (let at = 0; at < 9; at += 1) expect(await ask(at)).toBeNull();
    expect(server.asked).toHaveLength(5);
    await clock.advance(5000);
    expect(await Promise.all([ask(1), ask(2), ask(3)])).toEqual([null, null, null]);
    expect(server.asked).toHaveLength(6);
    server.state.answer = osrmRoute;
    await clock.advance(5000);
    expect(await ask(1)).not.toBeNull();
    expect(await ask(2)).not.toBeNull();
    expect(log.lines.map(({ fields, message }) => [fields, message])).toMatchObject([
      [{ of: 'routes' }, 'routing requests are paused'],
      [{ of: 'routes' }, 'the routing server answers again'],
    ]);
  });

  test('[K17] is still asked after long ways were late', async () => {
    const server = await routingServer(() => undefined);
    const { routes, timed } = routesBy(server.url, { routeBudgetRealMs: 50 });
    for (let at = 0; at < 6; at += 1)
      expect(await routes.route([place(0), place(0, 60_000 + 100 * at)], 'car')).toBeNull();
    // Each request that was sent, also one that ended before it arrived. A pause sends none.
    expect(timed).toEqual(Array(6).fill('late'));
  });

  test('[K17] is not waited for longer than the budget', async () => {
    const { url } = await routingServer(() => undefined);
    const { routes } = routesBy(url, { routeBudgetRealMs: 300 });
    const startedAt = performance.now();
    expect(await routes.route([place(0), place(distanceM(place(0), place(900)))], 'car')).toBeNull();
    expect(performance.now() - startedAt).toBeGreaterThan(250);
  });
});
