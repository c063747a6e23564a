import { expect, test } from 'vitest';
import { pickupOf } from '../../../src/dispatch/deliveries/plan-birth.ts';
import { offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { aLocation, aNewDelivery, aNewStop } from '../../builders.ts';

test('[D215] a pickup with other coordinates than its location does not get the address of the location', () => {
  const location = aLocation({ address: '1 Market Square' });
  const addressAt = (place: Coordinates, address: string | null = null) => {
    const pickup = { ...aNewStop(0), place, address };
    return pickupOf(aNewDelivery({ locationId: location.id, pickup }), location).address;
  };
  for (const eastM of [0, 90]) expect(addressAt(offsetBy(location.place, eastM, 0))).toBe('1 Market Square');
  expect(addressAt(offsetBy(location.place, 300, 0))).toBeNull();
  expect(addressAt(offsetBy(location.place, 300, 0), '2 Side Street')).toBe('2 Side Street');
  expect(pickupOf(aNewDelivery({ pickup: null }), location).address).toBe('1 Market Square');
});
