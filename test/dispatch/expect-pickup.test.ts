import { expect, test } from 'vitest';
import { expectPickup } from '../../src/dispatch/expect-pickup.ts';
import type { Courier } from '../../src/domain/couriers/courier.ts';
import { offsetBy } from '../../src/domain/geo/geo.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Context } from '../../src/ports/context.ts';
import { defaultSettings } from '../../src/settings.ts';
import { aCourier, aPosition, CENTER } from '../builders.ts';
import { handClock } from '../clock.ts';
import { keptPositions, keptTravel } from '../kept-ports.ts';

const MINUTE_MS = 60_000;
const ASKED = { liveMode: false, metadata: { category: 'Package' as const }, vehicleTypes: [], window: null } as const;
const from = (readyAt: number) => ({ window: { readyAt, deadlineAt: null } });

/** A city in which these couriers are online and present, each so many metres north of the pickup. */
function cityOf(...couriers: readonly (readonly [awayM: number, over: Partial<Courier>])[]) {
  const positions = keptPositions();
  const clock = handClock();
  const online = couriers.map(([awayM, over]) => {
    const courier = aCourier({ liveMode: false, vehicleType: 'scooter', ...over });
    positions.put(aPosition({ courierId: courier.id, ...offsetBy(CENTER, 0, awayM) }));
    return courier;
  });
  const listOnline: Context['couriers']['listOnline'] = (ids) =>
    Promise.resolve(online.filter(({ id }) => ids.includes(id)));
  const ctx = {
    positions,
    clock,
    settings: defaultSettings(),
    travel: keptTravel(),
    couriers: { listOnline } as Context['couriers'],
  };
  return { clock, ctx, expectAt: (over: object = {}) => expectPickup(ctx, { ...ASKED, ...over }, CENTER) };
}

test('[D206] the expected pickup is that of the free courier who is there first', async () => {
  const { clock, expectAt } = cityOf([650, { vehicleType: 'bicycle' }], [800, { vehicleType: 'scooter' }]);
  const { couriersNear, eta } = await expectAt();
  expect(couriersNear).toBe(2);
  // 800 m along streets at 6.5 m/s take less than 650 m at 4.2 m/s.
  const waysS = (800 * 1.3) / 6.5;
  expect((eta?.at ?? 0) - clock.now()).toBeGreaterThan((30 + 0.9 * waysS) * 1000);
  expect((eta?.at ?? 0) - clock.now()).toBeLessThan((30 + 1.2 * waysS) * 1000);
  expect(eta?.lowerAt).toBeLessThan(eta?.at ?? 0);
  expect(eta?.upperAt).toBeGreaterThan(eta?.at ?? Infinity);
});

test('[H470] the expected pickup goes along streets, and by the distance alone where no position is known here', async () => {
  const { clock, ctx } = cityOf([2000, {}]);
  const travel = { ...ctx.travel, routedS: () => 700, stretchAt: () => 1.2 };
  const expected = async (positions = ctx.positions): Promise<number> => {
    const { eta } = await expectPickup({ ...ctx, positions, travel }, ASKED, CENTER);
    return ((eta?.at ?? NaN) - clock.now()) / 1000;
  };
  expect(await expected()).toBeCloseTo(30 + 840, 3);
  expect(await expected({ ...ctx.positions, last: () => null })).toBeCloseTo(30 + (2000 * 1.35) / 6.5, -1);
});

test('[D206] only free couriers of the mode who can carry the goods count, within 5 km and up to five', async () => {
  const { expectAt } = cityOf(
    [100, { active: [newId('del')] }],
    [200, { liveMode: true }],
    [300, { kind: 'robo' }],
    [400, { vehicleType: 'bicycle' }],
    [5200, {}],
  );
  const heavy = { metadata: { category: 'Package', weight: 20 } };
  expect(await expectAt(heavy)).toEqual({ couriersNear: 0, eta: null });
  expect(await expectAt({ ...heavy, vehicleTypes: ['bicycle'] })).toEqual({ couriersNear: 0, eta: null });
  expect(await expectAt({ vehicleTypes: ['car'] })).toEqual({ couriersNear: 0, eta: null });
  expect((await expectAt()).couriersNear).toBe(1);
  const crowd = cityOf(...Array.from({ length: 9 }, (_, at) => [100 + at, {}] as const));
  expect((await crowd.expectAt()).couriersNear).toBe(5);
});

test('[D206] goods that are ready soon are not collected earlier, and for later ones nobody near counts', async () => {
  const { clock, expectAt } = cityOf([100, {}]);
  const soon = clock.now() + 20 * MINUTE_MS;
  expect(await expectAt(from(soon))).toMatchObject({ couriersNear: 1, eta: { at: soon, lowerAt: soon } });
  const later = clock.now() + 31 * MINUTE_MS;
  expect(await expectAt(from(later))).toMatchObject({ couriersNear: null, eta: { at: later, lowerAt: later } });
});

test('[D206] a quote waits half a second for the search, and then nobody can tell', async () => {
  const { clock, ctx } = cityOf();
  const positions = { ...ctx.positions, nearest: () => new Promise<null>(() => undefined) };
  const outlook = expectPickup({ ...ctx, positions }, ASKED, CENTER);
  await clock.advance(500);
  expect(await outlook).toEqual({ couriersNear: null, eta: null });
});
