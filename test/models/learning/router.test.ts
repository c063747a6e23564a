import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { distanceM } from '../../../src/domain/geo/geo.ts';
import { CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import {
  FAILURES,
  farPairs,
  isKnown,
  json,
  osrm,
  osrmPlaces,
  pair,
  place,
  routingServer,
  travelBy,
} from './routing-house.ts';

const { mongo } = await openHouse('router');

describe('a routing server', () => {
  test('[K9] of the OSRM kind is asked for a table of times, and has them by pair', async () => {
    const server = await routingServer(osrm);
    const { travel, timed } = await travelBy(mongo, server.url);
    expect(travel.hasRouter).toBe(true);
    const [a, b, c] = [place(0), place(3000), place(0, 4000)];
    const pairs = [pair(a, c), pair(b, c), pair(a, b)];
    expect([...travel.legs(pairs)]).toEqual([NaN, NaN, NaN]);
    travel.wanted(pairs);
    await until(() => isKnown(travel.legs(pairs)));
    for (const [index, { from, to }] of pairs.entries()) {
      expect(travel.legs(pairs)[index]).toBeCloseTo(distanceM(from, to) / 5, 1);
    }
    expect(server.asked).toHaveLength(1);
    expect(server.asked[0]?.method).toBe('GET');
    expect(server.asked[0]?.url).toMatch(
      /^\/table\/v1\/driving\/13\.405000,52\.520000;[\d.,;]+\?sources=0;1&destinations=2;3&annotations=duration$/,
    );
    expect(timed).toEqual(['ok']);
  });

  test('[K9] of the Valhalla kind is asked by POST, with a costing for each vehicle', async () => {
    const server = await routingServer(({ body }, response) => {
      const { sources, targets } = JSON.parse(body) as Record<'sources' | 'targets', unknown[]>;
      json(response, {
        sources_to_targets: sources.map((_, from) =>
          targets.map((_place, to) => ({ from_index: from, to_index: to, time: 500 + from * 10 + to, distance: 1.2 })),
        ),
        units: 'kilometers',
      });
    });
    const { travel } = await travelBy(mongo, `${server.url}/`, { routerKind: 'valhalla' });
    const pairs = VEHICLE_TYPES.map((vehicle) => pair(place(0), place(2000), { vehicle }));
    travel.wanted(pairs);
    await until(() => isKnown(travel.legs(pairs)));
    for (const seconds of travel.legs(pairs)) expect(seconds).toBeCloseTo(500, 6);
    const bodies = server.asked.map(({ body }) => JSON.parse(body) as { costing: string });
    const costings = bodies.map(({ costing }) => costing).toSorted();
    expect(costings).toEqual(['auto', 'auto', 'bicycle', 'motor_scooter', 'motorcycle']);
    expect(server.asked[0]).toMatchObject({ method: 'POST', url: '/sources_to_targets' });
    expect(bodies[0]).toMatchObject({ sources: [{ lat: CENTER.lat, lon: CENTER.lng }], targets: [{}] });
  });

  test('[K9] may have an address of its own for each profile', async () => {
    const server = await routingServer(osrm);
    const { travel } = await travelBy(mongo, `${server.url}/routed-{profile}`);
    travel.wanted([pair(place(0), place(2000), { vehicle: 'bicycle' })]);
    await until(() => server.asked.length > 0);
    expect(server.asked[0]?.url).toMatch(/^\/routed-bike\/table\/v1\/bike\//);
  });

  test('[K9] is not believed where its time is no ride', async () => {
    const told = { code: 'Ok', durations: [[0, 30_000, 400]] };
    const { url } = await routingServer((_asked, response) => json(response, told));
    const { travel } = await travelBy(mongo, url);
    const pairs = [place(2000), place(0, 2000), place(2000, 2000)].map((to) => pair(place(0), to));
    travel.wanted(pairs);
    await until(() => !Number.isNaN(travel.legs(pairs)[2]));
    expect(String(travel.legs(pairs))).toMatch(/^NaN,NaN,/);
  });

  test('[K9] that knows no way says so, and is not asked again', async () => {
    const server = await routingServer((_asked, response) => json(response, { code: 'Ok', durations: [[null]] }));
    const { travel, timed } = await travelBy(mongo, server.url);
    const island = [pair(place(0), place(2000))];
    travel.wanted(island);
    await until(() => timed.length > 0);
    travel.wanted(island);
    expect([...travel.legs(island)]).toEqual([NaN]);
    expect(server.asked).toHaveLength(1);
  });

  test('[K13] is none without an address; an address that is none stops the start', async () => {
    const { travel } = await travelBy(mongo, '');
    expect(travel.hasRouter).toBe(false);
    travel.wanted([pair(place(0), place(2000))]);
    expect([...travel.legs([pair(place(0), place(2000))])]).toEqual([NaN]);
    const address = (url: string) => readConfig({ TRAVEL_ROUTER_URL: url }).settings.travel.routerUrl;
    expect(address('http://router:5000/{profile}')).toBe('http://router:5000/{profile}');
    for (const url of ['router', 'ftp://router']) expect(() => address(url)).toThrow('TRAVEL_ROUTER_URL');
  });
});

describe('what is wanted', () => {
  test('[K10] holds for its two cells and its vehicle, for five minutes', async () => {
    const server = await routingServer(osrm);
    const { travel, clock } = await travelBy(mongo, server.url);
    const first = pair(place(0), place(2000));
    travel.wanted([first]);
    await until(() => isKnown(travel.legs([first])));
    // A little further on, still in the same cells: the way is as much shorter.
    const near = pair(place(20), place(1990));
    expect(travel.legs([near])[0]).toBeCloseTo(distanceM(near.from, near.to) / 5, 1);
    const others = [
      pair(place(0), place(2000), { vehicle: 'van' }),
      pair(place(2000), place(0)),
      pair(place(0), place(5000)),
    ];
    expect([...travel.legs(others)]).toEqual([NaN, NaN, NaN]);
    await clock.advance(300_000);
    expect(isKnown(travel.legs([first]))).toBe(true);
    await clock.advance(1000);
    expect(isKnown(travel.legs([first]))).toBe(false);
  });

  test('[K10] is asked for once, and not when it is around the corner', async () => {
    const server = await routingServer(osrm);
    const { travel } = await travelBy(mongo, server.url);
    const [pairs, corner] = [farPairs(20), pair(place(0), place(250))];
    travel.wanted([...pairs, ...pairs, corner]);
    travel.wanted(pairs);
    await until(() => isKnown(travel.legs(pairs)));
    travel.wanted(pairs);
    const places = server.asked.map(({ url }) => osrmPlaces(url).sources.length);
    expect(places.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect([...travel.legs([corner])]).toEqual([NaN]);
  });

  test('[K10] goes out in tables of 25 by 25 at most, four at once, and the rest waits', async () => {
    const waiting: (() => void)[] = [];
    const server = await routingServer((asked, response) => void waiting.push(() => osrm(asked, response)));
    const { travel } = await travelBy(mongo, server.url);
    const pairs = farPairs(200);
    travel.wanted(pairs);
    await until(() => waiting.length === 4);
    for (let answered = 0; answered < 8; answered += 1) {
      await until(() => waiting.length > 0);
      waiting.shift()?.();
    }
    await until(() => isKnown(travel.legs(pairs)));
    expect(server.state.mostOpen).toBe(4);
    for (const { url } of server.asked) {
      const { sources, targets } = osrmPlaces(url);
      expect(Math.max(sources.length, targets.length)).toBeLessThanOrEqual(25);
    }
    expect(server.asked).toHaveLength(8);
  });

  test('[K10] newly goes before what waits already, and what has waited for long is dropped', async () => {
    const waiting: (() => void)[] = [];
    const server = await routingServer((asked, response) => void waiting.push(() => osrm(asked, response)));
    const { travel, clock } = await travelBy(mongo, server.url);
    const [old, next] = [farPairs(2000), farPairs(25, 50_000)];
    travel.wanted(old);
    travel.wanted(next);
    const answer = async (): Promise<void> => {
      await until(() => waiting.length > 0);
      waiting.shift()?.();
    };
    await until(() => waiting.length === 4);
    // One of the four makes room for what was wanted last, and that for what was left of the first.
    await answer();
    await until(() => waiting.length === 4);
    for (let answered = 0; answered < 4; answered += 1) await answer();
    await until(() => isKnown(travel.legs(next)));
    await until(() => waiting.length === 4);
    expect(server.asked).toHaveLength(9);
    await clock.advance(11_000);
    travel.wanted([]);
    for (let answered = 0; answered < 4; answered += 1) await answer();
    await until(() => isKnown(travel.legs(old.slice(0, 200))));
    expect(server.asked).toHaveLength(9);
  });

  test('[K10] and answered is kept up to a bound; the oldest makes room', async () => {
    const server = await routingServer(osrm);
    const { travel } = await travelBy(mongo, server.url, { mostLegs: 30 });
    const [old, next] = [farPairs(25), farPairs(25, 50_000)];
    travel.wanted(old);
    await until(() => isKnown(travel.legs(old)));
    travel.wanted(next);
    await until(() => isKnown(travel.legs(next)));
    expect([...travel.legs(old)].map(Number.isNaN)).toEqual(old.map((_, index) => index < 20));
  });
});

describe('a routing server that fails', () => {
  test.each(Object.entries(FAILURES))('[K11] and %s makes no leg, and is asked again', async (why, answer) => {
    const server = await routingServer(answer);
    const isLate = why.startsWith('answers late');
    const { travel, timed } = await travelBy(mongo, server.url, isLate ? { routerBudgetRealMs: 100 } : {});
    const pairs = [pair(place(0), place(2000))];
    travel.wanted(pairs);
    await until(() => timed.length === 1);
    expect(timed).toEqual([isLate ? 'late' : 'failed']);
    expect([...travel.legs(pairs)]).toEqual([NaN]);
    server.state.answer = osrm;
    travel.wanted(pairs);
    await until(() => isKnown(travel.legs(pairs)) || timed.length === 2);
    if (!isLate) expect(timed).toEqual(['failed', 'ok']);
  });

  test('[K11] five times in a row is left alone for 30 s, then tried by one request, and trusted when that is answered', async () => {
    const server = await routingServer((_asked, response) => json(response, {}, 503));
    const { travel, clock, log, timed } = await travelBy(mongo, server.url);
    const pairs = farPairs(300);
    travel.wanted(pairs);
    // The fifth failure finds three more under way: each of the four before it has sent another one.
    await until(() => timed.length === 8);
    travel.wanted(pairs);
    expect([...travel.legs(pairs)].every(Number.isNaN)).toBe(true);
    await clock.advance(29_000);
    travel.wanted(pairs);
    await clock.advance(2000);
    expect(server.asked).toHaveLength(8);
    travel.wanted(pairs);
    await until(() => timed.length === 9);
    travel.wanted(pairs);
    expect(server.asked).toHaveLength(9);
    server.state.answer = osrm;
    await clock.advance(31_000);
    travel.wanted(pairs);
    await until(() => isKnown(travel.legs(pairs)));
    expect(log.lines.map(({ message }) => message)).toEqual([
      'routing requests are paused',
      'the routing server answers again',
    ]);
  });

  test('[K11] because there is none keeps nobody waiting', async () => {
    const { travel, timed } = await travelBy(mongo, 'http://127.0.0.1:1');
    const pairs = farPairs(10);
    travel.wanted(pairs);
    expect([...travel.legs(pairs)].every(Number.isNaN)).toBe(true);
    await until(() => timed.length > 0);
    expect(timed).toEqual(['failed']);
  });
});
