import type { CourierId, DeliveryId } from '../ids.ts';

export const VEHICLE_TYPES = ['bicycle', 'scooter', 'motorcycle', 'car', 'van'] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

/** The heaviest goods that a vehicle takes, in kg: in a bag, a box, a top box, a boot or a load space. */
const LOAD_KG: Record<VehicleType, number> = { bicycle: 15, scooter: 30, motorcycle: 30, car: 200, van: 1000 };

/** The goods that a vehicle must fit: the requested vehicle types (an empty list allows any) and the weight in kg. */
type Load = { readonly vehicleTypes: readonly VehicleType[]; readonly metadata: { readonly weight?: number } };

/**
 * Says why a vehicle does not fit the goods: its type was not requested, or the goods are too heavy. Null if it fits.
 */
export function whyNotBy(vehicle: VehicleType, { vehicleTypes, metadata }: Load): 'not_requested' | 'too_heavy' | null {
  if (vehicleTypes.length > 0 && !vehicleTypes.includes(vehicle)) return 'not_requested';
  return (metadata.weight ?? 0) > LOAD_KG[vehicle] ? 'too_heavy' : null;
}

/** Says whether a vehicle fits the goods. The matcher assigns only vehicles that fit; people may assign any. */
export function canCarry(vehicle: VehicleType, load: Load): boolean {
  return whyNotBy(vehicle, load) === null;
}

/** Profile: pending until activated; only an active courier may go online. */
export const COURIER_STATES = ['pending', 'active', 'suspended'] as const;
export type CourierState = (typeof COURIER_STATES)[number];
export type Availability = 'online' | 'offline';

export type Courier = {
  readonly id: CourierId;
  readonly liveMode: boolean;
  /** A robo-courier carries only deliveries that ask for one. */
  readonly kind: 'courier' | 'robo';
  readonly name: string;
  readonly phone: string;
  readonly vehicleType: VehicleType;
  /** Absent if not given: how to reach the courier, the plate of their vehicle, and where they work. */
  readonly email?: string;
  readonly plate?: string;
  readonly city?: string;
  readonly state: CourierState;
  /** Present if the courier is suspended only because a document expired. A new one lifts such a suspension. */
  readonly suspendedFor?: 'documents';
  readonly availability: Availability;
  readonly version: number;
  /** Deliveries that are assigned to the courier now, oldest first. */
  readonly active: readonly DeliveryId[];
  /** How many deliveries the courier may have at once. */
  readonly capacity: number;
  readonly createdAt: number;
  /** When the last delivery ended or the courier came online. The idle credit counts from here. */
  readonly idleSinceAt: number;
};

/** The part of a profile that an activation or a suspension changes. */
export type Standing = Pick<Courier, 'state' | 'availability' | 'suspendedFor'>;

/** The standing of a courier in another state. Only an active courier is online. */
export function standingIn(
  { availability }: Courier,
  state: CourierState,
  suspendedFor: Courier['suspendedFor'] | null = null,
): Standing {
  const standing = { state, availability: state === 'active' ? availability : 'offline' } as const;
  return suspendedFor === null ? standing : { ...standing, suspendedFor };
}

/** The part of a courier's profile that others may know. Events store it as it is, so its keys have wire form. */
export type CourierCard = { readonly id: CourierId; readonly first_name: string; readonly vehicle_type: VehicleType };

/** The card of a courier. */
export function cardOf(courier: Courier): CourierCard {
  return { id: courier.id, first_name: courier.name.split(' ')[0] ?? courier.name, vehicle_type: courier.vehicleType };
}

/** Says whether the courier may take another delivery. */
export function hasRoom(courier: Courier): boolean {
  return courier.active.length < courier.capacity;
}
