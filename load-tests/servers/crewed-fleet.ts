// Servers whose couriers were stored before they started.
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import type { VendorId } from '../../src/domain/ids.ts';
import type { StopFirst } from '../engines/own-engines.ts';
import type { Place } from '../stored/core.ts';
import { storeCrew, type CrewOptions, type Member } from '../stored/crew.ts';
import { startFleet, type Fleet } from './fleet.ts';

/** The engines, a folder for the servers, and what stops the servers before the engines. */
export type Where = Place & { readonly dir: string; readonly stopFirst: StopFirst };

/** Settings of servers with thousands of clients that all come from one address and stay for long. */
export const CROWDED = {
  SOCKETS_STRANGERS_PER_ADDRESS: '100000',
  AUTH_ACCESS_TTL_S: '86400',
  // No balancer has to notice that a server stops.
  HTTP_LEAVE_REAL_MS: '0',
};

/** A courier sends a ping every 4 s, as the app does. */
export const PING_EVERY_S = 4;
/** The couriers stand on a grid with so many columns and this much between them, so that they fill a city. */
const COLUMNS = 150;
const APART_M = 110;
const CITY = { lat: 52.4, lng: 13.2 };

type CrewedOptions = Pick<CrewOptions, 'couriers' | 'carrying'> & {
  readonly servers: number;
  /** More variables of the servers. */
  readonly environment?: Readonly<Record<string, string>>;
};

/**
 * Stores the couriers and starts the servers. One server runs before, because it makes the collections, the secrets and the demo.
 * @throws Error that names the log if a server does not start
 */
export async function startCrewedFleet(
  where: Where,
  { servers, environment = {}, ...crewOptions }: CrewedOptions,
): Promise<{ readonly fleet: Fleet; readonly crew: readonly Member[] }> {
  const { dir, mongoUrl, redisUrl, prefix, stopFirst } = where;
  const start = async (count: number): Promise<Fleet> => {
    const variables = { ...CROWDED, ...environment, REDIS_PREFIX: prefix };
    const fleet = await startFleet({ servers: count, dir, mongoUrl, redisUrl, scale: 1, environment: variables });
    stopFirst(() => fleet.stop());
    return fleet;
  };
  const first = await start(1);
  await first.stop();
  const crew = await storeCrew(where, { ...crewOptions, homeOf, vendorId: first.facts.vendor.id as VendorId });
  return { fleet: await start(servers), crew };
}

/** The place of a courier by their number. */
export function homeOf(index: number): Coordinates {
  return offsetBy(CITY, Math.floor(index / COLUMNS) * APART_M, (index % COLUMNS) * APART_M);
}
