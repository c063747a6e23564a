import { expect, test } from 'vitest';
import type { RunInput } from '../../../src/dispatch/regions/run/run-input.ts';
import { NOON, aDelivery, anOffer, aStop } from '../../builders.ts';
import { runCourier, settings } from '../match/fixtures.ts';
import { AWAY, away, lopsided, MINUTE, waiting, watch } from '../surge-house.ts';

test('[O55] an idle courier gets a hint about where they will be needed, and nothing else happens', async () => {
  const { watch: mine, notices, metrics, hintTurns } = watch();
  const input = lopsided(NOON, 8, 4);
  await mine.look(input);
  expect(notices.hints).toMatchObject([{ cell: away, expected: 1, expiresAt: NOON + 15 * MINUTE }]);
  const [hint] = notices.hints;
  expect(input.couriers.map(({ courier }) => courier.id)).toContain(hint!.courierId);
  expect([...hintTurns.taken]).toEqual([hint!.courierId]);
  expect(metrics.counts.get('hints_sent_total')).toBe(1);
});

test('[O55] couriers who just became idle, have an offer, work, are robo-couriers or had a hint are left alone', async () => {
  const { couriers } = lopsided(NOON, 8, 1);
  const [{ courier, place, assigned }] = couriers as [RunInput['couriers'][number]];
  const told = async (over: Partial<typeof courier>, more: Partial<RunInput> = {}, hasTurn = true) => {
    const hintTurns = { take: () => Promise.resolve(hasTurn) };
    const { watch: mine, notices } = watch({ hintTurns });
    const busy = { courier: { ...courier, ...over }, place, assigned };
    await mine.look(lopsided(NOON, 8, 0, { couriers: [busy, ...lopsided(NOON, 0, 2).couriers.map(tooNew)], ...more }));
    return notices.hints.length;
  };
  const tooNew = (entry: RunInput['couriers'][number]) => ({
    ...entry,
    courier: { ...entry.courier, idleSinceAt: NOON },
  });
  expect(await told({})).toBe(1);
  expect(await told({ idleSinceAt: NOON - 4 * MINUTE })).toBe(0);
  expect(await told({ kind: 'robo' })).toBe(0);
  expect(await told({ liveMode: false })).toBe(0);
  expect(await told({ active: [waiting(0).id] })).toBe(0);
  expect(await told({}, {}, false)).toBe(0);
  expect(await told({}, { openOffers: [anOffer({ courierId: courier.id })] })).toBe(0);
});

test('[O55] a courier who had a hint from another leader lately makes room for the next one', async () => {
  const asked: string[] = [];
  const hintTurns = { take: (id: string) => Promise.resolve(asked.push(id) > 1 && asked[0] !== id) };
  const { watch: mine, notices } = watch({ hintTurns });
  const input = lopsided(NOON, 8, 5);
  await mine.look(input);
  expect(notices.hints).toEqual([]);
  await mine.look({ ...input, now: NOON + MINUTE });
  expect(notices.hints).toHaveLength(1);
  expect(asked).toHaveLength(2);
});

test('[O56] a courier with a hint counts where it points, so that no other gets one for the same need', async () => {
  const { watch: mine, notices } = watch({ hintTurns: { take: () => Promise.resolve(true) } });
  const input = lopsided(NOON, 8, 5);
  for (let at = NOON; at < NOON + 14 * MINUTE; at += 5000) await mine.look({ ...input, now: at });
  expect(notices.hints).toHaveLength(1);
  await mine.look({ ...input, now: NOON + 16 * MINUTE });
  expect(notices.hints).toHaveLength(2);
});

test('[O56] no courier is lacking where no delivery waits and more couriers stand than a run surely reads', async () => {
  const crowd = (count: number) => Array.from({ length: count }, () => runCourier(AWAY, { liveMode: true }));
  const told = async (there: number, over: Partial<RunInput> = {}) => {
    const { watch: mine, notices } = watch();
    const input = lopsided(NOON, 72, 4, over);
    await mine.look({ ...input, couriers: [...input.couriers, ...crowd(there)] });
    return notices.hints.length;
  };
  expect(await told(7)).toBe(3);
  expect(await told(8)).toBe(0);
  const pickup = aStop(0, { place: AWAY });
  expect(await told(8, { deliveries: [waiting(0), aDelivery({ pickup, liveMode: true })] })).toBe(3);
});

test('[O56] an operator who wants no hints sets their number to 0', async () => {
  const silent = { ...settings, hints: { ...settings.hints, mostAtOnce: 0 } };
  const { watch: mine, notices } = watch({ settings: silent });
  await mine.look(lopsided(NOON, 20, 10));
  expect(notices.hints).toEqual([]);
  const { watch: replaced, notices: nobody } = watch({}, () => false);
  await replaced.look(lopsided(NOON, 20, 10));
  expect(nobody.hints).toEqual([]);
});

test('[O76] a hint ends when its courier gets work; idle again, they count where they are', async () => {
  const { watch: mine, notices } = watch({ hintTurns: { take: () => Promise.resolve(true) } });
  const input = lopsided(NOON, 8, 5);
  await mine.look(input);
  expect(notices.hints).toHaveLength(1);
  const [told] = notices.hints;
  const after = (at: number, over: object) => ({
    ...input,
    now: at,
    couriers: input.couriers.map((entry) =>
      entry.courier.id === told?.courierId ? { ...entry, courier: { ...entry.courier, ...over } } : entry,
    ),
  });
  await mine.look(after(NOON + MINUTE, {}));
  expect(notices.hints).toHaveLength(1);
  // They have carried a delivery and stand here again, so nobody is on the way to the other cell.
  await mine.look(after(NOON + 2 * MINUTE, { idleSinceAt: NOON + MINUTE }));
  expect(notices.hints).toHaveLength(2);
  expect(notices.hints[1]).toMatchObject({ cell: away });
});
