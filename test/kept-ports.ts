/** Ports without an engine behind them: they keep what they were told, so that a test can look. */
import { VEHICLE_TYPES } from '../src/domain/courier.ts';
import { regionOf } from '../src/domain/geo.ts';
import type { Offer } from '../src/domain/offer.ts';
import type { Position } from '../src/domain/position.ts';
import { crowSpeedMps, type LegSample } from '../src/domain/travel.ts';
import type { Bell, Log, Metrics, Notices, OfferPush, PositionIndex, Push, TravelTimes } from '../src/ports.ts';

/** A log that keeps its lines. */
export function keptLog(): Log & { readonly lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { lines, info: at('info'), warn: at('warn'), error: at('error'), audit: at('audit') };
}

/** Metrics that keep their counts, by name and label values. */
export function keptMetrics(): Metrics & { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  return {
    counts,
    count: (name, labels = {}, by = 1) => {
      const key = [name, ...Object.values(labels)].join(' ');
      counts.set(key, (counts.get(key) ?? 0) + by);
    },
    observe: () => undefined,
    gauge: () => undefined,
    text: () => Promise.resolve(''),
  };
}

/** A bell and notices that write down what was said. */
export function keptBell(): Bell & { readonly rung: string[] } {
  const rung: string[] = [];
  return { rung, ring: (region) => void rung.push(region), onRing: () => () => undefined };
}

export function keptNotices(): Notices & { readonly withdrawn: Offer[] } {
  const withdrawn: Offer[] = [];
  return {
    withdrawn,
    offerNew: () => Promise.resolve(true),
    offerWithdrawn: (offer) => void withdrawn.push(offer),
    alarm: () => undefined,
  };
}

/** A push service that keeps what it was to send. */
export function keptPush(): Push & { readonly sent: OfferPush[] } {
  const sent: OfferPush[] = [];
  return { sent, offer: (push) => Promise.resolve(void sent.push(push)) };
}

/** What one process knows of positions, without an engine behind it. Everybody in it is present. */
export function keptPositions(): PositionIndex & { readonly puts: Position[]; readonly touched: string[] } {
  const newest = new Map<string, Position>();
  const puts: Position[] = [];
  const touched: string[] = [];
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
    onBatch: () => () => undefined,
    listPresent: (regions) => Promise.resolve([...newest.values()].filter((at) => regions.includes(regionOf(at)))),
    silentForMs: () => Promise.resolve(new Map()),
  };
}

/** Travel times of a server that has learned nothing and has no routing server. It keeps the legs it is told. */
export function keptTravel(): TravelTimes & { readonly learned: LegSample[] } {
  const learned: LegSample[] = [];
  const width = VEHICLE_TYPES.length;
  const speeds = VEHICLE_TYPES.map(crowSpeedMps);
  return {
    learned,
    speedsAt: ({ length }) => Float64Array.from({ length: length * width }, (_, at) => speeds[at % width] ?? NaN),
    hasRouter: false,
    legs: ({ length }) => new Float64Array(length).fill(NaN),
    wanted: () => undefined,
    record: (samples) => Promise.resolve(void learned.push(...samples)),
  };
}
