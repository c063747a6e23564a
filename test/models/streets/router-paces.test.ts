import { describe, expect, test } from 'vitest';
import { distanceM, type Coordinates } from '../../../src/domain/geo/geo.ts';
import type { Ride } from '../../../src/domain/learning/ways.ts';
import { until } from '../../until.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import {
  FAILURES,
  farPairs,
  isKnown,
  json,
  osrm,
  osrmPlaces,
  osrmTable,
  pair,
  place,
  routingServer,
  travelBy,
} from './routing-house.ts';

const { mongo } = await openHouse('router-paces');

describe('a wanted pair', () => {
  test('[K10] has an answer that is valid for its two cells and its vehicle, for five minutes', async () => {
    const server = await routingServer(osrm);
    const { travel, clock } = await travelBy(mongo, server.url);
    const first = pair(place(0), place(2000));
    travel.wanted([first]);
    await until(() => isKnown(travel.legs([first])));
    // These places are a little off, but in the same cells. Their route is shorter in proportion.
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

  test('[K10] is requested once, and not at all if its places are around the corner', async () => {
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

  test('[K10] is requested in a table of at most 25 by 25, four at once, and others wait', async () => {
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

  test('[K10] that is new goes before those that wait, and one that has waited for long is dropped', async () => {
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
    // The first of the four to end makes room for the newest pairs. The next one makes room for the older ones.
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

  test('[K10] keeps its answer until the memory is full and it is the oldest', async () => {
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
  test.each(Object.entries(FAILURES))('[K11] and %s gives no leg, and gets the next request', async (why, answer) => {
    const server = await routingServer(answer);
    const isLate = why.startsWith('answers late');
    const { travel, timed } = await travelBy(mongo, server.url, isLate ? { tableBudgetRealMs: 100 } : {});
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

  test('[K11] five times in a row gets no requests for 30 s, and then one as a test, which restores it if answered', async () => {
    const server = await routingServer((_asked, response) => json(response, {}, 503));
    const { travel, clock, log, timed } = await travelBy(mongo, server.url);
    const pairs = farPairs(300);
    travel.wanted(pairs);
    // At the fifth failure three more requests are in flight, since each of the four before it has sent another one.
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

  test('[K11] because it does not exist does not delay callers', async () => {
    const { travel, timed } = await travelBy(mongo, 'http://127.0.0.1:1');
    const pairs = farPairs(10);
    travel.wanted(pairs);
    expect([...travel.legs(pairs)].every(Number.isNaN)).toBe(true);
    await until(() => timed.length > 0);
    expect(timed).toEqual(['failed']);
  });
});

describe('a way that an arrival time needs', () => {
  const ride = (from: Coordinates, to: Coordinates, over: Partial<Ride> = {}): Ride => ({
    ...pair(from, to),
    liveMode: true,
    ...over,
  });

  test('[E45] is requested in the background, with others of its region in one table', async () => {
    const server = await routingServer(osrm);
    const { travel, clock } = await travelBy(mongo, server.url);
    const [rides, elsewhere] = [
      [2000, 2400, 2800].map((eastM) => ride(place(0), place(eastM))),
      ride(place(90_000), place(92_000)),
    ];
    const seconds = (): number[] => [...rides, elsewhere].map((one) => travel.routedS(one));
    expect(seconds()).toEqual([NaN, NaN, NaN, NaN]);
    expect(seconds()).toEqual([NaN, NaN, NaN, NaN]);
    await clock.advance(50);
    await until(() => !seconds().some(Number.isNaN));
    for (const [index, one] of [...rides, elsewhere].entries()) {
      expect(seconds()[index]).toBeCloseTo(distanceM(one.from, one.to) / 5, 1);
    }
    await clock.advance(1000);
    expect(server.asked.map(({ url }) => osrmPlaces(url).targets.length).toSorted((a, b) => a - b)).toEqual([1, 3]);
  });

  test('[E45] that is new goes at the pace from a cell beside it until its own answer comes', async () => {
    const server = await routingServer(osrm);
    const { travel, clock } = await travelBy(mongo, server.url);
    const target = place(4000);
    travel.wanted([pair(place(0), target)]);
    await until(() => isKnown(travel.legs([pair(place(0), target)])));
    const moved = ride(place(350), target);
    expect([...travel.legs([moved])]).toEqual([NaN]);
    expect(travel.routedS(moved)).toBeCloseTo(distanceM(moved.from, target) / 5, 1);
    // Neither a place far away nor another target nor another vehicle.
    expect(travel.routedS(ride(place(2000), target))).toBeNaN();
    expect(travel.routedS(ride(place(350), place(6000)))).toBeNaN();
    expect(travel.routedS({ ...moved, vehicle: 'bicycle' })).toBeNaN();
    server.state.answer = osrmTable((from, to) => distanceM(from, to) / 4);
    await clock.advance(50);
    await until(() => Math.abs(travel.routedS(moved) - distanceM(moved.from, target) / 4) < 1);
  });

  test('[E45] keeps its old answer until a new one comes, and asks for it', async () => {
    const server = await routingServer(osrm);
    const { travel, clock } = await travelBy(mongo, server.url);
    const one = ride(place(0), place(2000));
    travel.wanted([one]);
    await until(() => isKnown(travel.legs([one])));
    await clock.advance(301_000);
    expect(isKnown(travel.legs([one]))).toBe(false);
    // A new answer from beside it does not replace its own.
    const beside = ride(place(-350), place(2000));
    server.state.answer = osrmTable((from, to) => distanceM(from, to) / 2);
    travel.wanted([beside]);
    await until(() => isKnown(travel.legs([beside])));
    expect(travel.routedS(one)).toBeCloseTo(distanceM(one.from, one.to) / 5, 1);
    await clock.advance(50);
    await until(() => Math.abs(travel.routedS(one) - distanceM(one.from, one.to) / 2) < 1);
    expect(server.asked).toHaveLength(3);
    // Around the corner nobody is asked.
    travel.routedS(ride(place(0), place(200)));
    await clock.advance(1000);
    expect(server.asked).toHaveLength(3);
  });

  test('[E45] is one of at most 500 that wait to be requested together', async () => {
    const server = await routingServer(osrm);
    const { travel, clock } = await travelBy(mongo, server.url);
    const rides = farPairs(700).map((one) => ({ ...one, liveMode: true }));
    for (const one of rides) travel.routedS(one);
    await clock.advance(50);
    const known = () => travel.legs(rides).filter((seconds) => !Number.isNaN(seconds)).length;
    await until(() => known() >= 500);
    await until(() => server.state.open === 0);
    expect(known()).toBe(500);
  });
});
