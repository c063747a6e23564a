import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { additionsOfEnd, type Addition } from '../../src/domain/analytics/roll-up.ts';
import { shiftDate } from '../../src/domain/analytics/range.ts';
import { newId } from '../../src/domain/ids.ts';
import { UTC_ZONES } from '../../src/domain/vendors/time-zone.ts';
import { ROLL_UPS } from '../../src/models/analytics/roll-up-shapes.ts';
import type { PageMark } from '../../src/ports/pages.ts';
import { aCourier, aStop, heldBy, NOON } from '../builders.ts';
import { of, openCounting } from '../dispatch/analytics/house.ts';

const { house } = await openCounting('roll-ups');
const DAY_MS = 24 * 60 * 60_000;
const TODAY = '2026-01-05';
const couriers = Array.from({ length: 4 }, () => aCourier());

const ending = fc.record({ day: fc.integer({ min: 0, max: 30 }), courier: fc.integer({ min: 0, max: 3 }) });
const span = fc.record({ from: fc.integer({ min: 0, max: 30 }), days: fc.integer({ min: 0, max: 30 }) });

check.prop([fc.array(ending, { minLength: 1, maxLength: 20 }), span], { numRuns: 20 })(
  '[N8] couriers and locations are counted exactly for any range, and couriers come in order, page by page',
  async (endings, { from, days }) => {
    const vendorId = newId('ven');
    const additions = endings.flatMap(({ day, courier }) => {
      const at = NOON + day * DAY_MS;
      const dropOffs = [aStop(1, { state: 'delivered', doneAt: at })];
      const times = { assignedAt: at, pickedUpAt: at, deliveredAt: at };
      const held = heldBy(couriers[courier] ?? aCourier(), 'delivered', { vendorId, dropOffs, times });
      return additionsOfEnd(held, { zones: UTC_ZONES, promiseMs: DAY_MS });
    });
    await house.rollUps.fold({ events: [], offers: [], ratings: [] }, additions);
    const range = { scope: of(vendorId), from: shiftDate(TODAY, from), to: shiftDate(TODAY, from + days) };
    const ended = endings.filter(({ day }) => day >= from && day <= from + days);
    const places = await house.rollUps.sumByPart({ ...range, subject: 'places' }, ['delivered']);
    expect([...places.values()].map(({ delivered }) => delivered)).toEqual(ended.length === 0 ? [] : [ended.length]);
    const expected = [...Map.groupBy(ended, ({ courier }) => couriers[courier]?.id ?? '')]
      .map(([id, { length }]) => [id, length] as const)
      .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
    const found: (readonly [string, number | undefined])[] = [];
    let after: PageMark | null = null;
    do {
      const page = { limit: 2, after };
      const { items, next } = await house.rollUps.rankParts({ ...range, subject: 'couriers' }, ['delivered'], page);
      found.push(...items.map(({ part, sums }) => [part, sums['delivered']] as const));
      after = next;
    } while (after !== null);
    expect(found).toEqual(expected);
  },
);

test('[N38] a ranking of all couriers has each of them once, although their figures change while it is read', async () => {
  const vendorId = newId('ven');
  const MANY = 1200;
  const many = Array.from({ length: MANY }, () => newId('cou'));
  const deliver = (part: string, delivered: number): Addition => {
    const key = { subject: 'couriers', scope: of(vendorId), date: TODAY, part } as const;
    return { deliveryId: newId('del'), key, sums: { delivered } };
  };
  const fold = (additions: readonly Addition[]) =>
    house.rollUps.fold({ events: [], offers: [], ratings: [] }, additions);
  await fold(many.map((part, at) => deliver(part, MANY - at)));
  const range = { subject: 'couriers', scope: of(vendorId), from: TODAY, to: TODAY } as const;
  const found: string[] = [];
  for await (const some of house.rollUps.rankAll(range, ['delivered'])) {
    expect(some.length).toBeLessThanOrEqual(500);
    found.push(...some.map(({ part }) => part));
    // The last one becomes the first, and the first one the last.
    await fold([deliver(many.at(-1) ?? '', MANY * 2), deliver(many[0] ?? '', -MANY)]);
  }
  expect(found).toEqual(many);
});

test('[N38] a ranking whose reader goes away leaves no cursor in the database', async () => {
  const vendorId = newId('ven');
  const additions = Array.from({ length: 1200 }, (): Addition => {
    const key = { subject: 'couriers', scope: of(vendorId), date: TODAY, part: newId('cou') } as const;
    return { deliveryId: newId('del'), key, sums: { delivered: 1 } };
  });
  await house.rollUps.fold({ events: [], offers: [], ratings: [] }, additions);
  const range = { subject: 'couriers', scope: of(vendorId), from: TODAY, to: TODAY } as const;
  const cursors = () =>
    house.mongo.connection
      .useDb('admin')
      .db?.aggregate([
        { $currentOp: { idleCursors: true, allUsers: true } },
        {
          $match: {
            type: 'idleCursor',
            'cursor.originatingCommand.aggregate': ROLL_UPS.name,
            ns: { $regex: house.mongo.db.databaseName },
          },
        },
      ])
      .toArray();
  for await (const some of house.rollUps.rankAll(range, ['delivered'])) {
    expect([some.length, (await cursors())?.length]).toEqual([500, 1]);
    break;
  }
  expect(await cursors()).toEqual([]);
});
