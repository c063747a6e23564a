import { cellToChildren, gridDisk } from 'h3-js';
import { expect, test } from 'vitest';
import { countCells } from '../../src/dispatch/count-cells.ts';
import { leadRegion } from '../../src/dispatch/lead-region.ts';
import type { RunInput } from '../../src/dispatch/match/plan.ts';
import { watchSurge } from '../../src/dispatch/publish-surge.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import { offsetBy, VIEW_RESOLUTION, viewCellOf } from '../../src/domain/geo.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { centerOf } from '../../src/domain/surge.ts';
import { CENTER, NOON, aCourier, aDelivery, anOffer, aStop, heldBy } from '../builders.ts';
import { regionOf, regionOfCell } from '../regions.ts';
import { handClock } from '../clock.ts';
import { keptHintTurns, keptLog, keptMetrics, keptNotices, keptSurge } from '../kept-ports.ts';
import { runCourier, runInput, settings } from './match/fixtures.ts';
import { courierAt, pass, passUntil, running } from './region-world.ts';
import { openWorld, storeDelivery } from './world.ts';

const MINUTE = 60_000;
const region = regionOf(CENTER);
/** The middle of the region, where its cells are its own. */
const MIDDLE = centerOf(viewCellOf(centerOf(region)));
const cell = viewCellOf(MIDDLE);
const near = (eastM: number, northM = 0) => offsetBy(MIDDLE, eastM, northM);
/** Two cells to the east. */
const [AWAY, away] = [near(4500), viewCellOf(near(4500))];

/** A delivery whose goods are ready so many minutes after noon. */
function waiting(readyInMin: number, over: Partial<Delivery> = {}): Delivery {
  const window = { readyAt: NOON + readyInMin * MINUTE, deadlineAt: null };
  return aDelivery({ pickup: aStop(0, { place: MIDDLE, window }), liveMode: true, ...over });
}

const counted = (over: Partial<RunInput>, liveMode = true) =>
  Object.fromEntries(countCells(runInput(over), liveMode, settings.surge.soonMs));

test('[O51] deliveries count whose search is on and whose goods are ready within ten minutes', () => {
  const deliveries = [
    waiting(0),
    waiting(10),
    waiting(10.1),
    waiting(0, { searchFromAt: NOON + 1 }),
    waiting(0, { searchUntilAt: NOON }),
    waiting(0, { robo: { timeScale: 1 } }),
    waiting(0, { liveMode: false }),
  ];
  expect(counted({ deliveries })).toEqual({ [cell]: { demand: 2, supply: 0 } });
  expect(counted({ deliveries }, false)).toEqual({ [cell]: { demand: 1, supply: 0 } });
});

test('[O51] couriers count who are free within ten minutes, where they will be free', () => {
  const live = { liveMode: true };
  const busy = (dropOff = near(200)) => {
    const courier = aCourier(live);
    const held = heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { place: dropOff })] });
    return { courier, place: near(0), held: [held] };
  };
  const couriers = [
    runCourier(near(0), live),
    runCourier(AWAY, live),
    runCourier(near(0), { ...live, kind: 'robo' }),
    runCourier(near(0)),
    busy(near(100)),
    busy(offsetBy(MIDDLE, 0, 4500)),
  ];
  // The last one is under way for 4.5 km and free in more than ten minutes; the one before is free here.
  expect(counted({ couriers })).toEqual({ [cell]: { demand: 0, supply: 2 }, [away]: { demand: 0, supply: 1 } });
  const soon = busy(offsetBy(MIDDLE, 2000, 0));
  const there = viewCellOf(offsetBy(MIDDLE, 2000, 0));
  expect(counted({ couriers: [soon] })).toEqual({ [there]: { demand: 0, supply: 1 } });
});

/** A leader's watch on ports that remember. */
function watch(over: Partial<Parameters<typeof watchSurge>[0]> = {}, isHeld = () => true) {
  const kept = {
    clock: handClock(),
    log: keptLog(),
    metrics: keptMetrics(),
    notices: keptNotices(),
    surge: keptSurge(),
    hintTurns: keptHintTurns(),
  };
  return { ...kept, watch: watchSurge({ ...kept, settings, ...over }, { region, isHeld, fence: () => 1 }) };
}

const scarce = (now: number): RunInput =>
  runInput({ now, deliveries: [0, 1, 2].map(() => waiting(0, { searchUntilAt: Infinity })) });

test('[O52] a leader publishes every four seconds at most, and nothing when another leads', async () => {
  const surge = keptSurge();
  const one = watch({ surge });
  for (const afterMs of [0, 1000, 3999, 4000, 5000, 8000]) await one.watch.look(scarce(NOON + afterMs));
  expect(surge.times).toBe(3);
  expect(surge.published.get(region)).toContainEqual(expect.objectContaining({ cell, demand: 3, supply: 0 }));
  await watch({ surge }, () => false).watch.look(scarce(NOON + 60_000));
  expect(surge.times).toBe(3);
});

test('[O52] another leader goes on where the last one stopped', async () => {
  const [surge, whole] = [keptSurge(), keptSurge()];
  const steady = watch({ surge: whole });
  let leader = watch({ surge });
  for (let at = NOON; at < NOON + 5 * MINUTE; at += 5000) {
    if (at === NOON + 2 * MINUTE) leader = watch({ surge });
    await leader.watch.look(scarce(at));
    await steady.watch.look(scarce(at));
  }
  expect(surge.published).toEqual(whole.published);
  expect((await surge.at(MIDDLE, true)).surge).toBeGreaterThan(1.5);
});

test('[O52] what is searched for beyond the border counts in the cells along it', async () => {
  const ringOf = (each: string) => gridDisk(each, 1).filter((other) => regionOfCell(other) !== region);
  const border = cellToChildren(region, VIEW_RESOLUTION).find((each) => ringOf(each).length > 0)!;
  const [beyond = ''] = ringOf(border);
  const surge = keptSurge();
  const row = { cell: beyond, liveMode: true, demand: 40, supply: 0, ratio: 2, surge: 2, at: NOON };
  await surge.publish(regionOfCell(beyond), [row]);
  const { watch: mine } = watch({ surge });
  for (const afterMs of [0, 5000]) await mine.look(scarce(NOON + afterMs));
  const cells = new Map(surge.published.get(region)?.map((each) => [each.cell, each]));
  expect(cells.get(border)).toMatchObject({ demand: 0, ratio: expect.closeTo(2.5 * (1 - Math.exp(-5 / 240)), 9) });
  expect(cells.has(beyond)).toBe(false);
  expect(surge.published.get(regionOfCell(beyond))).toEqual([row]);
});

test('[O52] a store that is away costs a run nothing, and is logged once', async () => {
  const busy = () => Promise.reject(new Refusal('busy'));
  const { watch: cut, log } = watch({ surge: { ...keptSurge(), list: busy, publish: busy } });
  for (const afterMs of [0, 5000, 10_000]) await cut.look(scarce(NOON + afterMs));
  expect(log.lines.map(({ message }) => message)).toEqual(['failed; will be tried again']);
});

const world = await openWorld('publish-surge');

test('[O52] a region publishes while something is searched for in it, and reads and writes nothing when it is quiet', async () => {
  let reads = 0;
  const positions: typeof world.positions = {
    ...world.positions,
    listPresent: (regions) => {
      reads += 1;
      return world.positions.listPresent(regions);
    },
  };
  const term = { region, isHeld: () => true, fence: () => 1 };
  const leader = running(leadRegion({ ...world, positions }, term));
  await pass(world, 12_000);
  expect([reads, world.surge.times]).toEqual([0, 0]);
  await courierAt(world, near(300));
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, searchingAt: now };
  await storeDelivery(world, {
    pickup: aStop(0, { place: MIDDLE }),
    searchFromAt: now,
    searchUntilAt: now + 900_000,
    times,
  });
  leader.ask(0);
  await passUntil(world, () => world.surge.times > 0);
  expect(await world.surge.at(MIDDLE, false)).toMatchObject({ cell, demand: 1, supply: 1, surge: 1 });
});

/** So many orders of the last hour and a half two cells to the east, and idle couriers here. */
function lopsided(now: number, orders: number, idle: number, over: Partial<RunInput> = {}): RunInput {
  const ordered = aDelivery({ pickup: aStop(0, { place: AWAY }), liveMode: true });
  const recent = Array.from({ length: orders }, () => ({ delivery: ordered, readyAt: now }));
  const couriers = Array.from({ length: idle }, (_, i) =>
    runCourier(near(i * 10), { liveMode: true, idleSinceAt: now - 10 * MINUTE }),
  );
  return runInput({ now, recent, couriers, deliveries: [waiting(0)], ...over });
}

test('[O55] an idle courier is told where he will be needed, and nothing else is done', async () => {
  const { watch: mine, notices, metrics, hintTurns } = watch();
  const input = lopsided(NOON, 8, 4);
  await mine.look(input);
  expect(notices.hints).toMatchObject([{ cell: away, expected: 1, expiresAt: NOON + 15 * MINUTE }]);
  const [hint] = notices.hints;
  expect(input.couriers.map(({ courier }) => courier.id)).toContain(hint!.courierId);
  expect([...hintTurns.taken]).toEqual([hint!.courierId]);
  expect(metrics.counts.get('hints_sent_total')).toBe(1);
});

test('[O55] who has just become idle, is asked, works, is a robo-courier or had a hint is left alone', async () => {
  const { couriers } = lopsided(NOON, 8, 1);
  const [{ courier, place, held }] = couriers as [RunInput['couriers'][number]];
  const told = async (over: Partial<typeof courier>, more: Partial<RunInput> = {}, hasTurn = true) => {
    const hintTurns = { take: () => Promise.resolve(hasTurn) };
    const { watch: mine, notices } = watch({ hintTurns });
    const busy = { courier: { ...courier, ...over }, place, held };
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

test('[O55] whoever had a hint from another leader lately makes room for the next one', async () => {
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

test('[O56] who was told counts where he was sent, so that nobody else is told for the same need', async () => {
  const { watch: mine, notices } = watch({ hintTurns: { take: () => Promise.resolve(true) } });
  const input = lopsided(NOON, 8, 5);
  for (let at = NOON; at < NOON + 14 * MINUTE; at += 5000) await mine.look({ ...input, now: at });
  expect(notices.hints).toHaveLength(1);
  await mine.look({ ...input, now: NOON + 16 * MINUTE });
  expect(notices.hints).toHaveLength(2);
});

test('[O56] where nothing waits and more couriers stand than a run looks at for certain, nobody is lacking', async () => {
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
