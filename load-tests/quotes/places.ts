// Places on streets of Liechtenstein, and pairs of them.
import { distanceM, offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import { routesOf } from '../clients/routes.ts';
import type { Random } from '../random.ts';

export type Pair = readonly [from: Coordinates, to: Coordinates];

/** Where people live: Balzers, Triesen, Vaduz, Schaan, Nendeln, Eschen, Mauren, Bendern and Ruggell. */
const VILLAGES: readonly Coordinates[] = [
  { lat: 47.0667, lng: 9.5025 },
  { lat: 47.1083, lng: 9.5281 },
  { lat: 47.1392, lng: 9.5228 },
  { lat: 47.165, lng: 9.51 },
  { lat: 47.199, lng: 9.545 },
  { lat: 47.2117, lng: 9.5231 },
  { lat: 47.2183, lng: 9.5431 },
  { lat: 47.2125, lng: 9.5036 },
  { lat: 47.24, lng: 9.5256 },
];
/** Ways between random places around villages. Their points lie on streets of every size. */
const WAYS = 200;
const AROUND_M = 700;
/** The price of a shorter way depends on a single crossing. */
const LEAST_M = 500;

/** Asks the Valhalla for ways around these villages, and returns all of their points. @throws Error if it finds no way */
export async function placesOnStreets(
  valhalla: string,
  random: Random,
  villages: readonly Coordinates[] = VILLAGES,
): Promise<Coordinates[]> {
  const findRoute = routesOf(valhalla);
  const places: Coordinates[] = [];
  for (let way = 0; way < WAYS; way += 1) {
    // Some random places are far from any street.
    places.push(...((await findRoute(somewhere(villages, random), somewhere(villages, random)))?.line ?? []));
  }
  if (places.length === 0) throw new Error('Valhalla found no way between villages');
  return places;
}

/** Two of the places, at least 500 m apart. */
export function pairOf(places: readonly Coordinates[], random: Random): Pair {
  for (;;) {
    const [from, to] = [one(places, random), one(places, random)];
    if (distanceM(from, to) >= LEAST_M) return [from, to];
  }
}

function somewhere(villages: readonly Coordinates[], random: Random): Coordinates {
  const [east, north] = [random.between(-AROUND_M, AROUND_M), random.between(-AROUND_M, AROUND_M)];
  return offsetBy(one(villages, random), east, north);
}

function one(places: readonly Coordinates[], random: Random): Coordinates {
  const place = places[Math.floor(random.next() * places.length)];
  if (place === undefined) throw new Error('there is no place to choose from');
  return place;
}
