import { canCarry, VEHICLE_TYPES, type Courier, type VehicleType } from '../../../domain/couriers/courier.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { distanceM, offsetBy, type Coordinates } from '../../../domain/geo/geo.ts';
import { newId, type CourierId } from '../../../domain/ids.ts';
import type { Context } from '../../../ports/context.ts';
import type { Drive } from './robo-drive.ts';

type Needs = Pick<Context, 'clock' | 'couriers' | 'positions'>;

/** A robo-courier, their last known place, and the way that they drive; null if they have not driven since the start. */
export type Robo = { readonly courier: Courier; place: Coordinates | null; drive: Drive | null };

/** Most robo-couriers. A delivery beyond them waits until one is free. */
const MOST_ROBOS = 200;
/** An idle robo-courier this near to a pickup serves it from where they stand, straight-line metres. */
const NEAR_M = 1000;
/** How far from the pickup a robo-courier starts if they stand nowhere near it, metres. */
const START_M = 300;
/** Spreads the starting places of robo-couriers around a pickup: the golden angle, radians. */
const SPREAD_RAD = 2.4;

export type RoboPool = {
  /**
   * Reads all robo-couriers again. The first call finds the existing ones by their numbered phones, and so does one with a
   * delivery whose courier the pool does not know.
   */
  refresh(deliveries: readonly Pick<Delivery, 'courierId'>[]): Promise<ReadonlyMap<CourierId, Robo>>;
  /**
   * An idle robo-courier for the delivery who is not in `taken`, made if none is near. If there are as many as there may
   * be, and none suits, the nearest idle one changes their vehicle. Null if all are busy or no vehicle suits.
   */
  summon(delivery: Delivery, taken: ReadonlySet<CourierId>): Promise<Robo | null>;
};

/** The robo-couriers of this installation. Their rows are the truth. The places of idle ones are in memory. */
export function roboPool(ctx: Needs): RoboPool {
  /** In the order of their numbers. */
  const robos = new Map<CourierId, Robo>();
  let isLoaded = false;

  const adopt = async (courier: Courier): Promise<Robo> => {
    const known = robos.get(courier.id);
    const place = known?.place ?? (await ctx.positions.find(courier.id));
    const robo = { courier, place, drive: known?.drive ?? null };
    robos.set(courier.id, robo);
    return robo;
  };
  const load = async (): Promise<void> => {
    for (let number = robos.size; number < MOST_ROBOS; number += 1) {
      const courier = await ctx.couriers.findByPhone(phoneOf(number), false);
      if (courier === null) break;
      await adopt(courier);
    }
    isLoaded = true;
  };
  const make = async (delivery: Delivery): Promise<Robo | null> => {
    const vehicle = vehicleFor(delivery);
    if (robos.size >= MOST_ROBOS || vehicle === null) return null;
    const courier = newRobo(robos.size, vehicle, ctx.clock.now());
    if (await ctx.couriers.add(courier, null)) return adopt(courier);
    // Another process made this number. Read it and the following ones; the next turn sees whether one is idle.
    await load();
    return null;
  };
  const equip = async ({ courier }: Robo, delivery: Delivery): Promise<Robo | null> => {
    const vehicleType = vehicleFor(delivery);
    if (robos.size < MOST_ROBOS || vehicleType === null) return null;
    const after = { ...courier, vehicleType };
    // If somebody else changed them meanwhile, the next turn sees how they are.
    if ((await ctx.couriers.update(courier, after, null)) !== 'done') return null;
    return adopt({ ...after, version: courier.version + 1 });
  };

  return {
    refresh: async (deliveries) => {
      const isUnknown = deliveries.some(({ courierId: id }) => id !== null && !robos.has(id));
      // Another process may have led meanwhile, and made more.
      if (!isLoaded || isUnknown) await load();
      for (const courier of await ctx.couriers.findMany([...robos.keys()])) await adopt(courier);
      return robos;
    },
    summon: async (delivery, taken) => {
      const idle = idleFor(delivery, robos, taken);
      const nearest = idle.find(({ robo }) => canCarry(robo.courier.vehicleType, delivery));
      if (nearest !== undefined && nearest.awayM <= NEAR_M) return nearest.robo;
      const [other] = idle;
      const found = (await make(delivery)) ?? nearest?.robo ?? null;
      const robo = found ?? (other === undefined ? null : await equip(other.robo, delivery));
      if (robo === null) return null;
      robo.place = startingPlace(delivery, [...robos.keys()].indexOf(robo.courier.id));
      robo.drive = null;
      return robo;
    },
  };
}

/** The idle robo-couriers who are not in `taken`, nearest to the pickup first, whatever their vehicles. */
function idleFor(delivery: Delivery, robos: ReadonlyMap<CourierId, Robo>, taken: ReadonlySet<CourierId>) {
  return [...robos.values()]
    .filter(({ courier }) => !taken.has(courier.id) && isFreeFor(courier, delivery))
    .map((robo) => ({ robo, awayM: robo.place === null ? Infinity : distanceM(robo.place, delivery.pickup.place) }))
    .toSorted((a, b) => a.awayM - b.awayM);
}

function isFreeFor(courier: Courier, { formerCouriers }: Delivery): boolean {
  const isIdle = courier.state === 'active' && courier.availability === 'online' && courier.active.length === 0;
  return isIdle && !formerCouriers.includes(courier.id);
}

/** The first vehicle that the delivery accepts and that can bear its goods, a scooter before others; null if none can. */
function vehicleFor(delivery: Delivery): VehicleType | null {
  const { vehicleTypes } = delivery;
  const types: readonly VehicleType[] = vehicleTypes.length > 0 ? vehicleTypes : ['scooter', ...VEHICLE_TYPES];
  return types.find((type) => canCarry(type, delivery)) ?? null;
}

function newRobo(number: number, vehicleType: VehicleType, now: number): Courier {
  return {
    id: newId('cou'),
    liveMode: false,
    kind: 'robo',
    name: `Robo ${number + 1}`,
    phone: phoneOf(number),
    vehicleType,
    state: 'active',
    availability: 'online',
    version: 1,
    active: [],
    capacity: 1,
    createdAt: now,
    idleSinceAt: now,
  };
}

/** Country code 999 is not in use, so no person can have such a phone. */
function phoneOf(number: number): string {
  return `+9990${String(number).padStart(6, '0')}`;
}

function startingPlace({ pickup }: Delivery, number: number): Coordinates {
  const angle = number * SPREAD_RAD;
  return offsetBy(pickup.place, START_M * Math.cos(angle), START_M * Math.sin(angle));
}
