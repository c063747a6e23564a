import { expect, test } from 'vitest';
import { distanceM } from '../../../src/domain/geo/geo.ts';
import type { Ride } from '../../../src/domain/learning/ways.ts';
import { until } from '../../until.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { farPairs, isKnown, json, osrm, osrmPlaces, pair, place, routingServer, travelBy } from './routing-house.ts';

/** Ways that readers of arrival times miss. */
const { mongo } = await openHouse('missed-ways');
const ride = (fromM: number, toM: number): Ride => ({ ...pair(place(fromM), place(toM)), liveMode: true });
/** A table of Valhalla with the same seconds for every way. */
const always = (seconds: number): Parameters<typeof routingServer>[0] => {
  return ({ body }, response) => {
    const { sources, targets } = JSON.parse(body) as { sources: unknown[]; targets: unknown[] };
    json(response, { sources_to_targets: sources.map(() => targets.map(() => ({ time: seconds }))) });
  };
};

test('[E45] they are requested after all ways that runs of the matcher wait for', async () => {
  const waiting: (() => void)[] = [];
  const server = await routingServer((asked, response) => void waiting.push(() => osrm(asked, response)));
  const { travel, clock } = await travelBy(mongo, server.url);
  travel.wanted(farPairs(125));
  await until(() => waiting.length === 4);
  const missed = pair(place(0, -9000), place(2000, -9000));
  travel.routedS({ ...missed, liveMode: true });
  await clock.advance(50);
  travel.wanted(farPairs(25, 50_000));
  // The requests in flight make room for one run, then for the other, and then for the reader.
  for (let sent = 5; sent <= 7; sent += 1) {
    expect(isKnown(travel.legs([missed]))).toBe(false);
    waiting.shift()?.();
    await until(() => server.asked.length === sent);
  }
  const isOfReader = server.asked.map(({ url }) =>
    osrmPlaces(url).sources.some((from) => distanceM(from, missed.from) < 100),
  );
  expect(isOfReader).toEqual([false, false, false, false, false, false, true]);
  for (const answer of waiting) answer();
  await until(() => isKnown(travel.legs([missed])));
});

test('[E45] an answer older than an hour does not stand in, neither for its own cell nor for one beside', async () => {
  const server = await routingServer(osrm);
  const { travel, clock } = await travelBy(mongo, server.url);
  const [own, beside] = [ride(0, 4000), ride(350, 4000)];
  travel.wanted([own]);
  await until(() => isKnown(travel.legs([own])));
  server.state.answer = (_asked, response) => json(response, {}, 503);
  await clock.advance(3_600_000);
  for (const one of [own, beside]) expect(travel.routedS(one)).toBeCloseTo(distanceM(one.from, one.to) / 5, 1);
  await clock.advance(1);
  expect([travel.routedS(own), travel.routedS(beside)]).toEqual([NaN, NaN]);
});

test('[E45] answers of a routing server at another address do not count, not even those that come later', async () => {
  let answer: () => void = () => undefined;
  const [first, second] = [await routingServer(always(800)), await routingServer(always(400))];
  let url: string | null = first.url;
  const { travel } = await travelBy(mongo, '', {}, () => url);
  const [one, other] = [ride(0, 4000), ride(20_000, 24_000)];
  travel.wanted([one]);
  await until(() => isKnown(travel.legs([one])));
  first.state.answer = (asked, response) => void (answer = () => always(800)(asked, response));
  travel.wanted([other]);
  await until(() => first.asked.length === 2);
  // A server that is away comes back with the same streets.
  url = null;
  expect(travel.routedS(one)).toBeCloseTo(800, 0);
  url = second.url;
  expect([travel.routedS(one), travel.legs([one])[0]]).toEqual([NaN, NaN]);
  answer();
  travel.wanted([one]);
  await until(() => isKnown(travel.legs([one])));
  expect(travel.routedS(one)).toBeCloseTo(400, 0);
  await until(() => {
    travel.wanted([other]);
    return isKnown(travel.legs([other]));
  });
  expect(travel.routedS(other)).toBeCloseTo(400, 0);
});

test('[E45] they are not requested after the process has closed its part', async () => {
  const server = await routingServer(osrm);
  const { travel, clock, timed } = await travelBy(mongo, server.url);
  travel.close();
  travel.routedS(ride(0, 4000));
  travel.wanted([ride(0, 4000)]);
  await clock.advance(1000);
  await new Promise(setImmediate);
  expect([timed, server.asked]).toEqual([[], []]);
});

test('[E45] without a routing server, nothing is kept to request it from a later one', async () => {
  const server = await routingServer(always(400));
  let url: string | null = null;
  const { travel, clock } = await travelBy(mongo, '', {}, () => url);
  const [missed, wanted] = [ride(0, 4000), ride(20_000, 24_000)];
  travel.routedS(missed);
  url = server.url;
  travel.routedS(wanted);
  await clock.advance(50);
  await until(() => isKnown(travel.legs([wanted])));
  expect(server.asked.map(({ body }) => (JSON.parse(body) as { sources: unknown[] }).sources.length)).toEqual([1]);
  expect(isKnown(travel.legs([missed]))).toBe(false);
});
