// The other users of a server under attack: vendors over REST, couriers and recipients on sockets. Each acts on a fixed
// schedule, and their waits are measured from the scheduled moment, so that a blocked server is not spared.
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '../../clients/api.ts';
import { onboardAll } from '../../simulate/people/onboard.ts';
import { shareTime } from '../../clients/service-time.ts';
import { staffSession } from '../../clients/session.ts';
import type { DemoFacts } from '../../servers/fleet.ts';
import { cancelDelivery, createDelivery, listDeliveries, trackingTokenOf } from './orders.ts';
import { startCarrier, startPhone, type Phone } from './phones.ts';
import type { Scene } from './scene.ts';

export const KINDS = ['list', 'create', 'ping', 'track'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The figures of one phase: the waits of each kind in ms, the number of actions that failed for good, and the number of
 * repeated requests.
 */
export type Phase = {
  readonly waits: Readonly<Record<Kind, readonly number[]>>;
  readonly failures: number;
  readonly retries: number;
};

export type Others = {
  /** Makes a delivery that no user watches. `trackingToken` is the token of its link. */
  makeSpare(): Promise<{ readonly deliveryId: string; readonly trackingToken: string }>;
  remove(deliveryId: string): Promise<void>;
  /** Lets them work for this time, machine ms, and returns their waits. */
  work(ms: number): Promise<Phase>;
  /** Ends their deliveries and connections. */
  leave(): Promise<void>;
};

/** Couriers who only report, and couriers who carry a delivery that a recipient watches. */
const IDLE_COURIERS = 8;
const CARRIERS = 4;
/** Machine ms between two actions of a kind. */
const LIST_EVERY_MS = 100;
const CREATE_EVERY_MS = 250;
const PING_EVERY_MS = 1000;
/** An action that has no answer after this time has failed, ms. */
const PATIENCE_MS = 10_000;

/** Brings them onto a server of the demo. */
export async function bringOthers(baseUrl: string, facts: DemoFacts): Promise<Others> {
  const api = createApi([baseUrl]);
  const staff = staffSession(api, facts.staff);
  const time = await shareTime(() => api.call('GET', '/healthz'));
  const crew = await onboardAll(
    api,
    staff,
    Array.from({ length: IDLE_COURIERS + CARRIERS }, (_, index) => ({
      id: `${index + 1}`,
      at: { x: 0, y: 0 },
      onMin: 0,
      offMin: 0,
    })),
  );
  const scene: Scene = { api, facts, staff, time };
  const phones = await Promise.all(
    crew.map((one, index) => (index < CARRIERS ? startCarrier(scene, one) : startPhone(scene, one))),
  );
  return {
    makeSpare: async () => {
      const deliveryId = await createDelivery(scene);
      return { deliveryId, trackingToken: await trackingTokenOf(scene, deliveryId) };
    },
    remove: (deliveryId) => cancelDelivery(scene, deliveryId),
    work: (ms) => work(scene, phones, ms),
    leave: async () => {
      await Promise.all(phones.map((phone) => phone.leave()));
    },
  };
}

async function work(scene: Scene, phones: readonly Phone[], ms: number): Promise<Phase> {
  const waits: Record<Kind, number[]> = { list: [], create: [], ping: [], track: [] };
  let failures = 0;
  const retriesBefore = scene.api.retries();
  const until = performance.now() + ms;
  const pending: Promise<void>[] = [];
  const measure = (kind: Kind, at: number, action: Promise<unknown>): void => {
    const settled = action.then(
      () => void waits[kind].push(performance.now() - at),
      // Refused, lost or late actions count in the verdict.
      () => void (failures += 1),
    );
    pending.push(settled);
  };
  const every = async (periodMs: number, act: (at: number) => void): Promise<void> => {
    // Users of a kind do not act at the same moment.
    for (let at = performance.now() + Math.random() * periodMs; at < until; at += periodMs) {
      await pause(Math.max(0, at - performance.now()));
      act(at);
    }
  };
  await Promise.all([
    every(LIST_EVERY_MS, (at) => measure('list', at, listDeliveries(scene))),
    every(CREATE_EVERY_MS, (at) => {
      const created = createDelivery(scene);
      measure('create', at, created);
      // The server must not search for a courier for a leftover delivery.
      const canceled = created.then((id) => cancelDelivery(scene, id));
      pending.push(canceled.catch(() => void (failures += 1)));
    }),
    ...phones.map((phone) =>
      every(PING_EVERY_MS, (at) => {
        const { answered, seen } = phone.report(PATIENCE_MS);
        measure('ping', at, answered);
        if (seen !== null) measure('track', at, seen);
      }),
    ),
  ]);
  await Promise.all(pending);
  return { waits, failures, retries: scene.api.retries() - retriesBefore };
}
