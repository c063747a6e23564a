import { expect, test } from 'vitest';
import type { Carried } from '../../../src/domain/deliveries/carried.ts';
import type { StopState } from '../../../src/domain/deliveries/stops/stop.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createRoomIndex, type InRooms } from '../../../src/realtime/positions/room-index.ts';
import { CENTER } from '../../builders.ts';

const COURIER = newId('cou');
const at = (eastM: number) => offsetBy(CENTER, eastM, 0);

/** A delivery on the way, with drop-offs so far east of the centre. */
function carried(doors: readonly [eastM: number, state: StopState][], courierId = COURIER): Carried {
  const stop = { index: 0, visit: 0, state: 'delivered' as const, place: at(-5000), window: null, arrivedAt: null };
  return {
    id: newId('del'),
    vendorId: newId('ven'),
    liveMode: false,
    state: 'in_transit',
    sequence: 1,
    courierId,
    pickup: stop,
    dropOffs: doors.map(([eastM, state], index) => ({
      ...stop,
      index: index + 1,
      visit: index + 1,
      state,
      place: at(eastM),
    })),
    times: { createdAt: 0, assignedAt: 0, pickedUpAt: 0 },
  };
}

function entryIn(index: ReturnType<typeof createRoomIndex>, { id }: Carried): InRooms {
  const entry = index.get(id);
  if (entry === null) throw new Error('it is in the index');
  return entry;
}

test('[T62] a recipient does not see the courier at a drop-off of another delivery, before and after its end', () => {
  const index = createRoomIndex();
  const [theirs, own] = [carried([[0, 'pending']]), carried([[1000, 'pending']])];
  index.change(null, theirs);
  index.change(null, own);
  const hides = (eastM: number) => index.hides(entryIn(index, own), at(eastM));
  expect([-250, -150, 0, 150, 250, 1000].map(hides)).toEqual([false, true, true, true, false, false]);
  index.change(theirs, null);
  expect([0, 250].map(hides)).toEqual([true, false]);
  // Nothing is kept of a courier without a delivery.
  index.change(own, null);
  index.change(null, own);
  expect(hides(0)).toBe(false);
});

test('[T62] a recipient sees the courier beside their own drop-off, also in the house of another recipient', () => {
  const index = createRoomIndex();
  const own = carried([
    [0, 'delivered'],
    [100, 'pending'],
  ]);
  const neighbour = carried([[100, 'pending']]);
  index.change(null, own);
  index.change(null, neighbour);
  const hides = (eastM: number) => index.hides(entryIn(index, own), at(eastM));
  expect([-150, 0, 40, 60, 100, 150].map(hides)).toEqual([true, true, true, false, false, false]);
});

test('[T62] the drop-offs of other couriers hide nobody', () => {
  const index = createRoomIndex();
  const [theirs, own] = [carried([[0, 'pending']], newId('cou')), carried([[1000, 'pending']])];
  index.change(null, theirs);
  index.change(null, own);
  expect(index.hides(entryIn(index, own), at(0))).toBe(false);
});
