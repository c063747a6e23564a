/** Shared by tests of routing servers: such a server on this machine, and travel times that use it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { distanceM, offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { encodePolyline } from '../../../src/domain/geo/polyline.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { createTravelTimes } from '../../../src/models/learning/travel-times.ts';
import { createRouter, findRouterBy } from '../../../src/models/streets/router.ts';
import { RouterPaces } from '../../../src/models/streets/router-paces.ts';
import { StreetRoutes } from '../../../src/models/streets/street-routes.ts';
import type { TravelPair } from '../../../src/ports/dispatch/learning.ts';
import { defaultSettings, type Settings } from '../../../src/settings.ts';
import { CENTER } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { keptLog, keptMetrics } from '../../kept-ports.ts';
import { openPort } from '../../open-port.ts';

type Asked = { readonly method: string; readonly url: string; readonly body: string };
type Answer = (asked: Asked, response: ServerResponse) => void;

/** A routing server on this machine that answers as the test currently wants. */
export async function routingServer(answer: Answer, finished: (then: () => void) => void = onTestFinished) {
  const asked: Asked[] = [];
  const state = { answer, open: 0, mostOpen: 0 };
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    state.open += 1;
    state.mostOpen = Math.max(state.mostOpen, state.open);
    response.once('close', () => void (state.open -= 1));
    request.on('data', (part: Buffer) => void (body += part.toString()));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      asked.push({ method, url, body });
      state.answer({ method, url, body }, response);
    });
  });
  const url = await openPort(server);
  finished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, state, url };
}

export const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Reads the sources and targets from the address of an OSRM table. */
export function osrmPlaces(url: string): { all: Coordinates[]; sources: Coordinates[]; targets: Coordinates[] } {
  const [path = '', query = ''] = url.split('?');
  const places = (path.split('/').at(-1) ?? '').split(';').map((one) => {
    const [lng = NaN, lat = NaN] = one.split(',').map(Number);
    return { lat, lng };
  });
  const numbers = (name: string) => (new URLSearchParams(query).get(name) ?? '').split(';').map(Number);
  const at = (index: number): Coordinates => places[index] ?? CENTER;
  return { all: places, sources: numbers('sources').map(at), targets: numbers('destinations').map(at) };
}

/** Reads the places from the address of an OSRM route. */
export function placesOfUrl(url: string): Coordinates[] {
  return osrmPlaces(`${url.split('?')[0]}?sources=0&destinations=0`).all;
}

/** The corner of a way that is one and a half times as long as the straight line. */
export function cornerBetween(from: Coordinates, to: Coordinates): Coordinates {
  const middle = { lat: (from.lat + to.lat) / 2, lng: (from.lng + to.lng) / 2 };
  const metres = distanceM(from, to);
  if (metres === 0) return middle;
  // Each half is three quarters of the straight line. The corner is off to the left of it.
  const awayM = Math.sqrt(0.75 ** 2 - 0.5 ** 2) * metres;
  const eastM = Math.sign(to.lng - from.lng) * distanceM(from, { lat: from.lat, lng: to.lng });
  const northM = Math.sign(to.lat - from.lat) * distanceM(from, { lat: to.lat, lng: from.lng });
  return offsetBy(middle, (-northM / metres) * awayM, (eastM / metres) * awayM);
}

/** Answers a route like OSRM: one and a half times the straight line, in two steps for each leg. */
export const osrmRoute: Answer = ({ url }, response) => {
  const places = placesOfUrl(url);
  const legs = places.slice(1).map((to, index) => {
    const from = places[index] ?? to;
    const middle = cornerBetween(from, to);
    const steps = [
      [from, middle],
      [middle, to],
      [to, to],
    ].map((line) => ({ geometry: encodePolyline(line) }));
    return { distance: 1.5 * distanceM(from, to), duration: 0.3 * distanceM(from, to), steps };
  });
  json(response, { code: 'Ok', routes: [{ legs }], waypoints: [] });
};

/** Answers a route like Valhalla, in the same way. */
export const valhallaRoute: Answer = ({ body }, response) => {
  const { locations } = JSON.parse(body) as { locations: { lat: number; lon: number }[] };
  const places = locations.map(({ lat, lon }) => ({ lat, lng: lon }));
  const legs = places.slice(1).map((to, index) => {
    const from = places[index] ?? to;
    const metres = distanceM(from, to);
    const summary = { length: Number(((1.5 * metres) / 1000).toFixed(3)), time: Math.round(0.3 * metres) };
    return { summary, shape: encodePolyline([from, cornerBetween(from, to), to]) };
  });
  json(response, { trip: { legs, status: 0, units: 'kilometers' } });
};

type Seconds = (from: Coordinates, to: Coordinates) => number | null;

/** Answers tables like OSRM. */
export const osrmTable = (secondsOf: Seconds): Answer => {
  return ({ url }, response) => {
    const { sources, targets } = osrmPlaces(url);
    const durations = sources.map((from) => targets.map((to) => secondsOf(from, to)));
    json(response, { code: 'Ok', durations, sources: [], destinations: [] });
  };
};

/** Answers tables like OSRM, with 5 m/s along the straight line for every vehicle. */
export const osrm = osrmTable((from, to) => distanceM(from, to) / 5);

/** Answers routes like `osrmRoute`, and tables with these times. */
export const osrmStreets = (secondsOf: Seconds): Answer => {
  const table = osrmTable(secondsOf);
  return (asked, response) => (isTable(asked) ? table : osrmRoute)(asked, response);
};

export const isTable = ({ url }: Pick<Asked, 'url'>): boolean => url.includes('/table/');

/** The routes and tables of a routing server. See `travelBy`. */
export function routesBy(url: string, over: Partial<Settings['travel']> = {}, streetsUrl?: () => string | null) {
  const clock = handClock();
  const [log, timed] = [keptLog(), [] as string[]];
  const observe = (_name: string, _seconds: number, labels: Record<string, string> = {}) =>
    void timed.push(...Object.values(labels));
  const defaults = defaultSettings();
  // The machine that runs the tests may be slow, and only the test of late answers needs the budget.
  const travel = { ...defaults.travel, routerUrl: url, tableBudgetRealMs: 30_000, routeBudgetRealMs: 30_000, ...over };
  const router = createRouter(findRouterBy(travel, streetsUrl), travel);
  const metrics = { ...keptMetrics(), observe };
  const routes = new StreetRoutes({ router, clock, settings: { ...defaults, travel }, metrics, log });
  onTestFinished(() => routes.close());
  return { routes, clock, log, timed };
}

/** @param streetsUrl the address of the server's own Valhalla */
export async function travelBy(
  mongo: Mongo,
  url: string,
  over: Partial<Settings['travel']> = {},
  streetsUrl?: () => string | null,
) {
  const clock = handClock();
  const [log, metrics] = [keptLog(), keptMetrics()];
  const timed: string[] = [];
  const observe = (_name: string, _seconds: number, labels: Record<string, string> = {}) =>
    void timed.push(...Object.values(labels));
  const defaults = defaultSettings();
  // The machine that runs the tests may be slow, and only the test of late answers needs the budget.
  const own = { ...defaults.travel, routerUrl: url, tableBudgetRealMs: 30_000, ...over };
  const settings = { ...defaults, travel: own };
  const router = createRouter(findRouterBy(own, streetsUrl), own);
  const paces = new RouterPaces({ router, clock, settings, metrics: { ...metrics, observe }, log });
  const travel = createTravelTimes({ mongo, router: paces, clock, log });
  onTestFinished(() => travel.close());
  /** The answers of the routing server for these pairs, as a fleet takes them about which nothing was learned. */
  const legsNow = (pairs: readonly TravelPair[]): Float64Array =>
    travel.legs(
      pairs.map((one) => ({ ...one, liveMode: true })),
      clock.now(),
    );
  return { travel: { ...travel, legs: legsNow }, clock, log, timed };
}

export const place = (eastM: number, northM = 0): Coordinates => offsetBy(CENTER, eastM, northM);
export const pair = (from: Coordinates, to: Coordinates, over: Partial<TravelPair> = {}): TravelPair => ({
  from,
  to,
  vehicle: 'car',
  ...over,
});
export const isKnown = (seconds: Float64Array): boolean => seconds.every((value) => !Number.isNaN(value));
/** Makes this many pairs, each between other cells. */
export const farPairs = (count: number, northM = 0): TravelPair[] =>
  Array.from({ length: count }, (_, index) => pair(place(index * 1000, northM), place(index * 1000, northM + 2000)));

/** The ways in which servers fail. */
export const FAILURES: Record<string, Answer> = {
  'answers late': () => undefined,
  'answers late in the middle': (_asked, response) => void response.writeHead(200).write('{"code":'),
  'answers with an error': (_asked, response) => json(response, { code: 'InvalidQuery' }, 400),
  'answers with a table and an error': (_asked, response) => json(response, { code: 'Ok', durations: [[9]] }, 500),
  'answers something else': (_asked, response) => json(response, { code: 'Ok', durations: 'none' }),
  'answers without JSON': (_asked, response) => void response.end('<html>'),
  'answers a negative time': (_asked, response) => json(response, { code: 'Ok', durations: [[-5]] }),
  'answers a smaller table': (_asked, response) => json(response, { code: 'Ok', durations: [] }),
  'redirects the request': (_asked, response) => void response.writeHead(302, { location: '/' }).end(),
  'hangs up': (_asked, response) => void response.destroy(),
};
