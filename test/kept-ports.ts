/** Ports without an engine behind them. They keep their calls, so that a test can look. */
import { CENTER } from './builders.ts';
import { regionOf, regionOfCell } from './regions.ts';
import { textOf } from '../src/log.ts';
import type { Hint } from '../src/domain/surge/hint.ts';
import { calmCell, surgeCellOf, type SurgeCell } from '../src/domain/surge/surge.ts';
import { distanceM, regionsAt, sizeOf, type Coordinates } from '../src/domain/geo/geo.ts';
import type { Carried } from '../src/domain/deliveries/carried.ts';
import type { Offer } from '../src/domain/offers/offer.ts';
import type { Position } from '../src/domain/couriers/position.ts';
import { UNLEARNED_WAYS, type LegSample } from '../src/domain/learning/travel.ts';
import type { AccountKey, Credentials } from '../src/ports/access.ts';
import type { CarriedDeliveries } from '../src/ports/deliveries.ts';
import type { TravelTimes } from '../src/ports/dispatch/learning.ts';
import type { CourierPush } from '../src/domain/couriers/push.ts';
import type { Notices, Push } from '../src/ports/offers.ts';
import type { PositionIndex, Ring } from '../src/ports/dispatch/positions.ts';
import type { Bell, Log, Metrics } from '../src/ports/process.ts';
import type { Streets } from '../src/ports/dispatch/streets.ts';
import type { HintTurns, SurgeMap } from '../src/ports/dispatch/surge.ts';

const REGION_SIZE = sizeOf(regionOf(CENTER));

/** A log that keeps its lines. */
export function keptLog(): Log & { readonly lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: 'error' in fields ? { ...fields, error: textOf(fields.error) } : fields, message });
  };
  return { lines, info: at('info'), warn: at('warn'), error: at('error'), audit: at('audit'), covers: () => false };
}

/** Metrics that keep their counts, by name and label values. */
export function keptMetrics(): Metrics & { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  return {
    counts,
    count: (name, labels, by = 1) => {
      const key = [name, ...Object.values(labels)].join(' ');
      counts.set(key, (counts.get(key) ?? 0) + by);
    },
    observe: () => undefined,
    gauge: () => undefined,
    text: () => Promise.resolve(''),
  };
}

/** A bell and notices that record their calls. */
export function keptBell(): Bell & { readonly rung: string[] } {
  const rung: string[] = [];
  return { rung, ring: (region) => void rung.push(region), onRing: () => () => undefined };
}

export function keptNotices(): Notices & { readonly withdrawn: Offer[]; readonly hints: Hint[] } {
  const withdrawn: Offer[] = [];
  const hints: Hint[] = [];
  return {
    withdrawn,
    hints,
    hint: (hint) => void hints.push(hint),
    offerNew: () => Promise.resolve(true),
    offerWithdrawn: (offer) => void withdrawn.push(offer),
    isConnected: () => Promise.resolve(false),
    alarm: () => undefined,
  };
}

/** A push service that keeps the pushes it was to send. */
export function keptPush(): Push & { readonly sent: CourierPush[] } {
  const sent: CourierPush[] = [];
  return { sent, send: (push) => Promise.resolve(void sent.push(push)) };
}

/** The positions that one process knows, without an engine behind it. Every courier in it is present. */
export function keptPositions(): PositionIndex & { readonly puts: Position[]; readonly touched: string[] } {
  const newest = new Map<string, Position>();
  const puts: Position[] = [];
  const touched: string[] = [];
  const inRegions = (cells: readonly string[]): Position[] => {
    const regions = regionsAt(cells, REGION_SIZE);
    return [...newest.values()].filter((at) => regions.includes(regionOf(at)));
  };
  return {
    puts,
    touched,
    last: (courierId) => newest.get(courierId) ?? null,
    find: (courierId) => Promise.resolve(newest.get(courierId) ?? null),
    put: (position) => {
      puts.push(position);
      newest.set(position.courierId, position);
    },
    touch: (courierIds) => void touched.push(...courierIds),
    keepPresent: () => () => undefined,
    onBatch: () => () => undefined,
    listPresent: (regions) => Promise.resolve(inRegions(regions)),
    listUpTo: (regions, most) => {
      const found = inRegions(regions);
      return Promise.resolve(found.length > most ? null : found);
    },
    present: (courierId) => newest.get(courierId) ?? null,
    around: (place, mostM) => ringsAround(place, mostM, [...newest.values()]),
    nearest: async (place, { mostM, enough, choose }) => {
      const near = [...newest.values()].map((at) => ({ courierId: at.courierId, awayM: distanceM(at, place) }));
      const within = near.filter(({ awayM }) => awayM <= mostM).sort((a, b) => a.awayM - b.awayM);
      const wanted = await choose(within.map(({ courierId }) => courierId));
      return within.filter(({ courierId }) => wanted.has(courierId)).slice(0, enough);
    },
    silentForMs: () => Promise.resolve(new Map()),
  };
}

/** Carried deliveries of a process that knows only these. */
export function keptCarried(...all: readonly Carried[]): CarriedDeliveries {
  const byId = new Map(all.map((one) => [one.id, one]));
  return {
    get: (id) => byId.get(id) ?? null,
    all: () => all,
    of: (courierId) => all.filter((one) => one.courierId === courierId),
    onChange: () => () => undefined,
  };
}

/** Rings of a kilometre. */
function ringsAround(place: Coordinates, mostM: number, positions: readonly Position[]): Ring[] {
  return Array.from({ length: Math.ceil(mostM / 1000) }, (_, ring) => ({
    withinM: (ring + 1) * 1000,
    positions: positions.filter((at) => Math.floor(distanceM(at, place) / 1000) === ring),
  }));
}

/** Travel times of a server that has learned nothing and has no routing server. It keeps the recorded legs. */
export function keptTravel(): TravelTimes & { readonly learned: LegSample[] } {
  const learned: LegSample[] = [];
  return {
    ...UNLEARNED_WAYS,
    learned,
    hasRouter: () => false,
    legs: ({ length }) => new Float64Array(length).fill(NaN),
    wanted: () => undefined,
    record: (samples) => Promise.resolve(void learned.push(...samples)),
  };
}

/** Streets of a server without a routing server. */
export const NO_STREETS: Streets = {
  route: () => Promise.resolve(null),
  table: () => Promise.resolve(null),
  knownRoute: () => null,
  knownTable: () => null,
};

/** The last published cells of each region, unchanged, and how often they were published. */
export function keptSurge(): SurgeMap & { readonly published: Map<string, readonly SurgeCell[]>; times: number } {
  const published = new Map<string, readonly SurgeCell[]>();
  const all = (): SurgeCell[] => [...published.values()].flat();
  const kept = {
    published,
    times: 0,
    publish: (region: string, cells: readonly SurgeCell[]) => {
      published.set(region, cells);
      kept.times += 1;
      return Promise.resolve();
    },
    at: (place: { lat: number; lng: number }, liveMode: boolean) => {
      const cell = surgeCellOf(place, regionOf(place));
      const found = all().find((each) => each.cell === cell && each.liveMode === liveMode);
      return Promise.resolve(found ?? calmCell(cell, liveMode, 0));
    },
    list: (regions: readonly string[]) =>
      Promise.resolve(all().filter(({ cell }) => regions.includes(regionOfCell(cell)))),
    listIn: (cells: readonly string[]) => Promise.resolve(all().filter(({ cell }) => cells.includes(cell))),
  };
  return kept;
}

/** Turns that each courier has once. */
export function keptHintTurns(): HintTurns & { readonly taken: Set<string> } {
  const taken = new Set<string>();
  return { taken, take: (courierId) => Promise.resolve(!taken.has(courierId) && taken.add(courierId).size > 0) };
}

/** Credentials that record whose sessions were ended. */
export function keptSessions(): Pick<Credentials, 'endSessionsOf'> & { readonly ended: AccountKey[] } {
  const ended: AccountKey[] = [];
  return { ended, endSessionsOf: (account) => Promise.resolve(ended.push(account)) };
}

/** Notices to phones and pages of which none is connected. */
export const NO_NOTICES: Notices = {
  offerNew: async () => false,
  offerWithdrawn: () => undefined,
  isConnected: async () => false,
  alarm: () => undefined,
  hint: () => undefined,
};
