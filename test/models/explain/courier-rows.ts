import { COURIER_STATES, VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { termsOfCourier } from '../../../src/domain/couriers/courier-terms.ts';
import type { CourierFilter } from '../../../src/ports/couriers.ts';
import { aCourier } from '../../builders.ts';

/** A row of the collection, by its number. Few are suspended, and half are robo-couriers. */
export function courierRow(at: number) {
  const courier = aCourier({
    kind: at % 2 === 0 ? 'courier' : 'robo',
    name: at % 500 === 0 ? 'Zoe Quartz' : `Ada Obi${at % 3000}`,
    liveMode: at % 10 !== 0,
    state: COURIER_STATES[at % 400 === 0 ? (at / 400) % 3 : 1] ?? 'active',
    vehicleType: VEHICLE_TYPES[at % 7] ?? 'scooter',
    availability: at % 4 === 0 ? 'online' : 'offline',
  });
  return { _id: courier.id, ...courier, terms: termsOfCourier(courier) };
}

/** Filters of the list: common and rare values, alone and together. */
export const COURIER_FILTERS: readonly CourierFilter[] = [
  {},
  { liveMode: true },
  { state: 'suspended' },
  { availability: 'online', vehicleType: 'van' },
  { liveMode: false, state: 'pending', availability: 'offline', vehicleType: 'bicycle' },
  { search: 'quartz' },
  { search: 'ada obi7' },
  { search: 'Zoe', state: 'suspended' },
  { search: 'nobody' },
  { search: '+49301234567' },
];
