import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { ConnectedCouriers } from '../../../src/models/positions/connected-couriers.ts';

test('[P7] a connected courier is looked at only when their renewal is due', () => {
  const couriers = new ConnectedCouriers(0, 5000);
  const [silent, moving] = [newId('cou'), newId('cou')];
  for (const id of [silent, moving]) couriers.add(id, 0);
  const looks = new Map<string, number[]>([
    [silent, []],
    [moving, []],
  ]);
  for (let now = 0; now <= 20_000; now += 100) {
    couriers.renew(now, (id) => {
      looks.get(id)?.push(now);
      // The moving one was heard every 3 s.
      return id === silent ? now : now - (now % 3000);
    });
  }
  expect(looks.get(silent)).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  expect(looks.get(moving)).toEqual([0, 5000, 8000, 11_000, 14_000, 17_000, 20_000]);
});
