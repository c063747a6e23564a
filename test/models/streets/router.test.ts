import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { distanceM, offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { isKnown, json, osrm, osrmPlaces, pair, place, routingServer, travelBy } from './routing-house.ts';

const { mongo } = await openHouse('router');
const json200 = (body: unknown) => (_asked: unknown, response: ServerResponse) => json(response, body);

describe('a routing server', () => {
  test('[K9] of the OSRM kind gets a request for a table, and returns times by pair', async () => {
    const server = await routingServer(osrm);
    const { travel, timed } = await travelBy(mongo, server.url);
    expect(travel.hasRouter()).toBe(true);
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

  test('[K9] of the Valhalla kind gets a POST request, with a costing for each vehicle', async () => {
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

  test('[K9] may have a different address for each profile', async () => {
    const server = await routingServer(osrm);
    const { travel } = await travelBy(mongo, `${server.url}/routed-{profile}`);
    travel.wanted([pair(place(0), place(2000), { vehicle: 'bicycle' })]);
    await until(() => server.asked.length > 0);
    expect(server.asked[0]?.url).toMatch(/^\/routed-bike\/table\/v1\/bike\//);
  });

  test('[K9] is not believed if its time is impossible for the vehicle', async () => {
    const told = { code: 'Ok', durations: [[0, 30_000, 400]] };
    const { url } = await routingServer((_asked, response) => json(response, told));
    const { travel } = await travelBy(mongo, url);
    const pairs = [place(2000), place(0, 2000), place(2000, 2000)].map((to) => pair(place(0), to));
    travel.wanted(pairs);
    await until(() => !Number.isNaN(travel.legs(pairs)[2]));
    expect(String(travel.legs(pairs))).toMatch(/^NaN,NaN,/);
  });

  test('[K19] that moves a place by over 200 m gives no time for it, and one that refuses a table has not failed', async () => {
    const [from, near, far] = [place(0), place(2000), place(0, 3000)];
    const at = ({ lat, lng }: Coordinates) => ({ location: [lng, lat], distance: 0 });
    const moved = json200({
      code: 'Ok',
      durations: [[400, 600]],
      sources: [at(from)],
      destinations: [at(offsetBy(near, 190, 0)), at(offsetBy(far, 210, 0))],
    });
    const server = await routingServer(moved);
    const { travel, timed } = await travelBy(mongo, server.url);
    const pairs = [pair(from, near), pair(from, far)];
    travel.wanted(pairs);
    await until(() => isKnown(travel.legs([pairs[0]!])));
    expect([...travel.legs(pairs)]).toEqual([expect.closeTo(400, 0), NaN]);
    server.state.answer = (_asked, response) => json(response, { code: 'NoSegment' }, 400);
    const refused = [pair(from, place(5000))];
    travel.wanted(refused);
    await until(() => timed.length === 2);
    travel.wanted(refused);
    expect([timed, server.asked.length, ...travel.legs(refused)]).toEqual([['ok', 'refused'], 2, NaN]);
  });

  test('[K19] that refuses a table for one place gives the times of all other pairs', async () => {
    const [bad, targets] = [place(9000, 9000), Array.from({ length: 9 }, (_, at) => place(3000 + 1000 * at, 0))];
    const server = await routingServer((asked, response) => {
      const isBad = osrmPlaces(asked.url).all.some((one) => distanceM(one, bad) < 100);
      return isBad ? json(response, { code: 'NoSegment' }, 400) : osrm(asked, response);
    });
    const { travel, timed } = await travelBy(mongo, server.url);
    const from = [place(0, 3000), place(0, 5000), place(0, 7000)];
    const pairsTo = (to: Coordinates) => from.map((one) => pair(one, to));
    const good = targets.flatMap(pairsTo);
    travel.wanted([...pairsTo(bad), ...good]);
    await until(() => timed.length === 1);
    expect(isKnown(travel.legs(good))).toBe(true);
    expect([...travel.legs(pairsTo(bad))]).toEqual([NaN, NaN, NaN]);
    expect(timed).toEqual(['refused']);
    expect(server.asked.length).toBeLessThan(32);
  });

  test('[K19] gets tables of one region each', async () => {
    const waiting: (() => void)[] = [];
    const server = await routingServer((asked, response) => void waiting.push(() => osrm(asked, response)));
    const { travel } = await travelBy(mongo, server.url);
    // The first four tables fill the server, so these pairs wait together.
    travel.wanted(VEHICLE_TYPES.slice(0, 4).map((vehicle) => pair(place(0), place(0, 5000), { vehicle })));
    const [berlin, munich] = [pair(place(0), place(2000)), pair(offsetBy(CENTER, 0, -500_000), place(0, -502_000))];
    const vehicle = VEHICLE_TYPES[4]!;
    for (const one of [berlin, munich]) travel.wanted([{ ...one, vehicle }]);
    for (let answered = 0; answered < 6; answered += 1) {
      await until(() => waiting.length > 0);
      waiting.shift()?.();
    }
    await until(() =>
      isKnown(
        travel.legs([
          { ...berlin, vehicle },
          { ...munich, vehicle },
        ]),
      ),
    );
    const tables = server.asked.map(({ url }) => osrmPlaces(url).all);
    expect(tables).toHaveLength(6);
    for (const [from, to] of tables) expect(distanceM(from!, to!)).toBeLessThan(10_000);
  });

  test('[K9] of the Valhalla kind may be an older or a newer version', async () => {
    const at = ({ lat, lng }: Coordinates) => ({ lat, lon: lng });
    const [from, near, far] = [place(0), place(2000), place(0, 3000)];
    const times = { sources_to_targets: [[{ time: 400 }, { time: 600 }]] };
    for (const told of [
      { ...times, sources: [[at(from)]], targets: [[at(near), at(offsetBy(far, 210, 0))]] },
      { ...times, sources: [at(from)], targets: [at(near), null] },
    ]) {
      const server = await routingServer(json200(told));
      const { travel } = await travelBy(mongo, server.url, { routerKind: 'valhalla' });
      const pairs = [pair(from, near), pair(from, far)];
      travel.wanted(pairs);
      await until(() => isKnown(travel.legs([pairs[0]!])));
      expect([...travel.legs(pairs)]).toEqual([expect.closeTo(400, 0), NaN]);
    }
  });

  test('[K9] that finds no route says so, and gets no second request', async () => {
    const server = await routingServer((_asked, response) => json(response, { code: 'Ok', durations: [[null]] }));
    const { travel, timed } = await travelBy(mongo, server.url);
    const island = [pair(place(0), place(2000))];
    travel.wanted(island);
    await until(() => timed.length > 0);
    travel.wanted(island);
    expect([...travel.legs(island)]).toEqual([NaN]);
    expect(server.asked).toHaveLength(1);
  });

  test('[K14] of the server itself is used while it answers, unless the settings name another one', async () => {
    const times = (seconds: number) => json200({ sources_to_targets: [[{ time: seconds }]] });
    const [own, other] = [
      await routingServer(times(500)),
      await routingServer(json200({ code: 'Ok', durations: [[400]] })),
    ];
    let url: string | null = null;
    const { travel } = await travelBy(mongo, '', {}, () => url);
    const [first, second] = [pair(place(0), place(2000)), pair(place(0), place(0, 2000))];
    travel.wanted([first]);
    expect([travel.hasRouter(), own.asked.length]).toEqual([false, 0]);
    url = own.url;
    travel.wanted([first]);
    await until(() => isKnown(travel.legs([first])));
    expect(travel.legs([first])[0]).toBeCloseTo(500, 6);
    url = null;
    travel.wanted([second]);
    expect([travel.hasRouter(), isKnown(travel.legs([first]))]).toEqual([false, true]);
    url = own.url;
    const { travel: named } = await travelBy(mongo, other.url, {}, () => url);
    named.wanted([first]);
    await until(() => isKnown(named.legs([first])));
    expect(named.legs([first])[0]).toBeCloseTo(400, 6);
    expect(own.asked).toHaveLength(1);
  });

  test('[K13] is not used without an address; an invalid address stops the start', async () => {
    const { travel } = await travelBy(mongo, '');
    expect(travel.hasRouter()).toBe(false);
    travel.wanted([pair(place(0), place(2000))]);
    expect([...travel.legs([pair(place(0), place(2000))])]).toEqual([NaN]);
    const address = (url: string) => readConfig({ TRAVEL_ROUTER_URL: url }).settings.travel.routerUrl;
    expect(address('http://router:5000/{profile}')).toBe('http://router:5000/{profile}');
    for (const url of ['router', 'ftp://router']) expect(() => address(url)).toThrow('TRAVEL_ROUTER_URL');
  });
});
