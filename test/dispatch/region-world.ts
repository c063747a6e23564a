/**
 * Shared by tests of regions and workers: processes on one world, leases by the hand clock, and notices that answer.
 */
import { onTestFinished, vi } from 'vitest';
import type { Alarm } from '../../src/domain/alarm.ts';
import type { Courier } from '../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import type { Coordinates } from '../../src/domain/geo/geo.ts';
import type { CourierId } from '../../src/domain/ids.ts';
import type { Offer } from '../../src/domain/offers/offer.ts';
import type { Notices } from '../../src/ports/offers.ts';
import type { Bell, Leases } from '../../src/ports/process.ts';
import { aFix } from '../builders.ts';
import { keptNotices } from '../kept-ports.ts';
import { until } from '../until.ts';
import { storeCourier, type World } from './world.ts';

// The clock of the test moves as fast as the stores answer. A quarter of an hour takes a busy machine over half a
// minute.
vi.setConfig({ testTimeout: 300_000 });

/**
 * Leases as the store keeps them, by the hand clock: one owner per name, and a higher fencing number for each new
 * owner.
 */
export function leaseDesk(clock: World['clock']): { of(process: string): Leases } {
  const held = new Map<string, { process: string; until: number; fence: number }>();
  return {
    of: (process) => ({
      tryHold: (name, ttlMs) => {
        const now = clock.real.now();
        const last = held.get(name);
        if (last !== undefined && last.process !== process && last.until > now) return Promise.resolve(null);
        const isRenewal = last?.process === process && last.until > now;
        const fence = isRenewal ? last.fence : (last?.fence ?? 0) + 1;
        held.set(name, { process, until: now + ttlMs, fence });
        return Promise.resolve(fence);
      },
      release: (name) => {
        const last = held.get(name);
        if (last?.process === process) last.until = 0;
        return Promise.resolve();
      },
    }),
  };
}

/** A bell that all processes of a test hear at once. */
export function sharedBell(): Bell {
  const listeners = new Set<(region: string) => void>();
  return {
    ring: (region) => {
      for (const listener of listeners) listener(region);
    },
    onRing: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Notices to phones that acknowledge or not, as `answers` says at that moment. */
export function phones(answers: { isThere: boolean } = { isThere: true }) {
  const shown: Offer[] = [];
  const alarms: Alarm[] = [];
  const notices: Notices & ReturnType<typeof keptNotices> = {
    ...keptNotices(),
    offerNew: (offer) => {
      shown.push(offer);
      return Promise.resolve(answers.isThere);
    },
    alarm: (alarm) => void alarms.push(alarm),
  };
  return { ...notices, shown, alarms };
}

/** Moves the clock step by step, each time after the stores have answered, until the check returns true. */
export async function passUntil(
  { clock, settled }: Pick<World, 'clock' | 'settled'>,
  check: () => boolean | Promise<boolean>,
  { stepMs = 250, timeoutMs = 120_000 } = {},
): Promise<void> {
  await until(check, timeoutMs, async () => {
    await clock.advance(stepMs);
    await settled();
  });
}

/** Moves the clock in small steps, so that periodic work runs as often as it would. */
export async function pass(world: Pick<World, 'clock' | 'settled'>, ms: number, stepMs = 1000): Promise<void> {
  const end = world.clock.now() + ms;
  await passUntil(world, () => world.clock.now() >= end, { stepMs });
}

/** A courier who is online at the place. */
export async function courierAt(world: World, place: Coordinates, over: Partial<Courier> = {}): Promise<Courier> {
  const courier = await storeCourier(world, over);
  stand(world, courier.id, place);
  return courier;
}

/** Puts a courier somewhere, as of now. */
export function stand(world: World, courierId: CourierId, place: Coordinates): void {
  const now = world.clock.now();
  const fix = aFix(now, { lat: place.lat, lng: place.lng, at: now });
  world.positions.put({ ...fix, courierId, receivedAt: now });
}

/** Starts workers that stop with the test. */
export function running<T extends { stop(): Promise<void> }>(worker: T): T {
  onTestFinished(() => worker.stop());
  return worker;
}

export async function openOffersOf(world: World, deliveries: readonly Delivery[]): Promise<readonly Offer[]> {
  return world.offers.listOpen(deliveries.map(({ id }) => id));
}
