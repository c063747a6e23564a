// The vendor's system. It creates deliveries over REST while not too many are open.
import { setTimeout as pause } from 'node:timers/promises';
import { isFinal, type Api } from '../../clients/api.ts';
import type { Coordinates } from '../../day/day.ts';
import { comeBetween } from './desk.ts';
import { placeNear } from './place.ts';
import type { World } from './world.ts';

export type VendorOptions = {
  /** Whether this many deliveries are enough. */
  readonly isEnough: (created: number) => boolean;
  /** Deliveries that may be open at a time. */
  readonly mostOpen: number;
  /** Machine ms between two creations at least. */
  readonly leastGapMs: number;
  readonly open: () => number;
  /** The time has run out, so no more deliveries are created. */
  readonly isOver: () => boolean;
};

export type Vendor = {
  /** Settles when all deliveries are created. */
  readonly done: Promise<void>;
  /** External ids whose creation was answered yes. */
  promised(): readonly string[];
};

/** Creations in flight. A frozen server answers one of them late, and the others continue. */
const LANES = 8;
const LOOK_MS = 20;
/** The percentage of deliveries that most couriers decline. */
const UNLOVED = 8;
/** Couriers recognise them by this address. */
export const UNLOVED_ADDRESS = 'A corner nobody likes';

/** Starts to create deliveries. Each request is repeated until its delivery exists. */
export function startVendor(world: World, options: VendorOptions): Vendor {
  const promised: string[] = [];
  let next = 0;
  let asking = 0;
  let lastAt = -Infinity;
  const mayCreate = (): boolean =>
    options.open() + asking < options.mostOpen && performance.now() - lastAt >= options.leastGapMs;

  const lane = async (api: Api): Promise<void> => {
    while (!options.isOver()) {
      if (options.isEnough(next)) return;
      if (!mayCreate()) {
        await pause(LOOK_MS);
        continue;
      }
      const externalId = `chaos-${next}`;
      next += 1;
      asking += 1;
      lastAt = performance.now();
      const meeting = world.random.pick(world.meetings, () => 1);
      const id = await create(world, api, bodyOf(world, meeting.point, externalId), options.isOver);
      asking -= 1;
      if (id === null) continue;
      promised.push(externalId);
      comeBetween(world, api, id, meeting);
    }
  };
  const lanes = Array.from({ length: LANES }, () => lane(world.newApi()));
  return { done: Promise.all(lanes).then(() => undefined), promised: () => promised };
}

async function create(world: World, api: Api, body: object, isOver: () => boolean): Promise<string | null> {
  while (!isOver()) {
    try {
      // For the same external_id and content, the server answers with the existing delivery.
      const { id } = await api.call<{ id: string }>('POST', '/deliveries', { token: world.vendorKey, body });
      return id;
    } catch (error) {
      world.counts.add(`create: ${error instanceof Error ? error.message : String(error)}`);
      if (isFinal(error)) return null;
    }
  }
  return null;
}

function bodyOf({ random }: World, point: Coordinates, externalId: string): object {
  const stop = (address: string) => ({
    coordinates: placeNear(point, random),
    address,
    contact: { name: 'Somebody there', phone: '+4930901820' },
  });
  return {
    external_id: externalId,
    pickup: stop(random.between(0, 100) < UNLOVED ? UNLOVED_ADDRESS : 'A corner'),
    drop_off: [stop('Another corner')],
    metadata: { category: 'Food', weight: 1 },
  };
}
