import type { CourierId, DeliveryId } from '../ids.ts';

export const VEHICLE_TYPES = ['bicycle', 'scooter', 'motorcycle', 'car', 'van'] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

/** Heaviest goods a vehicle takes, kg: a bag, a box, a top box, a boot, a load space. */
const LOAD_KG: Record<VehicleType, number> = { bicycle: 15, scooter: 30, motorcycle: 30, car: 200, van: 1000 };

/** What a vehicle must fit to carry goods: the vehicles that were asked for, none for any, and their weight in kg. */
type Load = { readonly vehicleTypes: readonly VehicleType[]; readonly metadata: { readonly weight?: number } };

/** Why a vehicle does not fit goods: none of its type was asked for, or they are too heavy for it; null when it does. */
export function whyNotBy(vehicle: VehicleType, { vehicleTypes, metadata }: Load): 'not_asked_for' | 'too_heavy' | null {
  if (vehicleTypes.length > 0 && !vehicleTypes.includes(vehicle)) return 'not_asked_for';
  return (metadata.weight ?? 0) > LOAD_KG[vehicle] ? 'too_heavy' : null;
}

/** Says whether a vehicle fits goods: the matcher gives them to no other, people may. */
export function canCarry(vehicle: VehicleType, load: Load): boolean {
  return whyNotBy(vehicle, load) === null;
}

/** Profile: pending until activated; only an active courier may go online. */
export type CourierState = 'pending' | 'active' | 'suspended';
export type Availability = 'online' | 'offline';

export type Courier = {
  readonly id: CourierId;
  readonly liveMode: boolean;
  /** A robo-courier carries only deliveries that ask for one. */
  readonly kind: 'courier' | 'robo';
  readonly name: string;
  readonly phone: string;
  readonly vehicleType: VehicleType;
  readonly state: CourierState;
  readonly availability: Availability;
  readonly version: number;
  /** Deliveries held now, oldest first. */
  readonly active: readonly DeliveryId[];
  /** How many deliveries may be held at once. */
  readonly capacity: number;
  readonly createdAt: number;
  /** When the last delivery ended or the courier came online: the idle credit counts from here. */
  readonly idleSinceAt: number;
};

/** What others may know of a courier. Keys are wire form: it is stored in events as it is. */
export type CourierCard = { readonly id: CourierId; readonly first_name: string; readonly vehicle_type: VehicleType };

/** The card of a courier. */
export function cardOf(courier: Courier): CourierCard {
  return { id: courier.id, first_name: courier.name.split(' ')[0] ?? courier.name, vehicle_type: courier.vehicleType };
}

/** Says whether another delivery fits. */
export function hasRoom(courier: Courier): boolean {
  return courier.active.length < courier.capacity;
}
