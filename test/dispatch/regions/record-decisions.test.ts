import { expect, test } from 'vitest';
import { declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import type { Term } from '../../../src/work/term.ts';
import { answerRun, type RunAnswer, type RunRequest } from '../../../src/dispatch/match/answer.ts';
import { prepareRun, readAnswer } from '../../../src/dispatch/regions/run/plan.ts';
import type { RunInput } from '../../../src/dispatch/regions/run/run-input.ts';
import type { Matcher } from '../../../src/dispatch/regions/matcher.ts';
import { logDecisions, type CarriedOut } from '../../../src/dispatch/regions/record-decisions.ts';
import { differencesOf, replayRun } from '../../../src/dispatch/regions/replay-run.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import {
  explainCandidate,
  explainVerdict,
  type DecisionRow,
  type RunRecord,
} from '../../../src/domain/offers/decision.ts';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { findRun } from '../../../src/models/regions/decision-store.ts';
import { aDelivery, anOffer, aStop, CENTER, NOON } from '../../builders.ts';
import { asCourier } from '../../callers.ts';
import { until } from '../../until.ts';
import { at, runCourier, runInput } from '../match/fixtures.ts';
import { courierAt, leaseDesk, openOffersOf, passUntil, phones, running, sharedBell } from '../region-world.ts';
import { openWorld, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('record-decisions');
const { decisions } = world;
const TERM: Term = { region: 'r', fence: () => 4, ownsLease: () => true };

const rowsOf = async (id: DeliveryId) => (await decisions.list(id, { limit: 50, after: null })).items;

/** A log whose store keeps in memory, and the run of an input. */
function memoryLog() {
  const kept: RunRecord[] = [];
  const log = logDecisions({ decisions: { ...decisions, record: (run) => void kept.push(run) } }, TERM);
  // By default everything that the plan wants is done.
  const run = (
    over: Partial<RunInput>,
    change: (answer: RunAnswer) => Partial<RunAnswer> = () => ({}),
    doing: Partial<CarriedOut['done']> = {},
  ) => {
    const input = runInput(over);
    const prepared = prepareRun(input, [], 5);
    const answer = answerRun(prepared.request);
    const plan = readAnswer(input, prepared, { ...answer, ...change(answer) });
    const done = { opened: plan.pairs, withdrawn: plan.outdone, ...doing };
    const carriedOut: CarriedOut = { at: input.now, request: prepared.request, plan, done, tookMs: 12 };
    return { id: log.record(carriedOut), plan };
  };
  return { kept, run };
}

test('[O42] a run that made an offer is kept, and a run in which nothing changed is not', () => {
  const { kept, run } = memoryLog();
  const delivery = aDelivery();
  const near = runCourier(at(300));
  const far = runCourier(at(3000));
  const first = run({ deliveries: [delivery], couriers: [near, far] });
  expect(kept).toMatchObject([
    { id: first.id, region: 'r', fence: 4, at: NOON, tookMs: 12, seed: 5, rounds: first.plan.answer.rounds },
  ]);
  const [row] = kept[0]!.decisions;
  expect(row).toMatchObject({
    runId: first.id,
    deliveryId: delivery.id,
    verdict: 'offered',
    courierId: near.courier.id,
    asked: [near.courier.id],
    candidates: [{ courierId: near.courier.id }, { courierId: far.courier.id }],
  });
  expect(row!.candidates).toEqual(first.plan.answer.decisions[0]!.candidates);
  // The offer is open now, which is not news, run after run.
  const offer = anOffer({ deliveryId: delivery.id, courierId: near.courier.id, expiresAt: NOON + 25_000 });
  const during = { now: NOON + 5000, deliveries: [delivery], couriers: [near, far], openOffers: [offer] };
  expect(run(during).id).toBeNull();
  expect(run({ ...during, now: NOON + 10_000 }).id).toBeNull();
  expect(kept).toHaveLength(1);
});

test('[O42] a run is kept if a delivery differs from the last run, with the changed rows', () => {
  const { kept, run } = memoryLog();
  const [one, two] = [aDelivery(), aDelivery({ pickup: aStop(0, { place: at(9000) }) })];
  expect(run({ deliveries: [one, two], couriers: [] }).id).not.toBeNull();
  expect(kept[0]!.decisions.map(({ verdict }) => verdict)).toEqual(['no_candidate', 'no_candidate']);
  expect(run({ deliveries: [one, two], couriers: [] }).id).toBeNull();
  run({ deliveries: [one, two], couriers: [runCourier(at(100))] });
  expect(kept[1]!.decisions).toMatchObject([
    { deliveryId: one.id, verdict: 'offered' },
    { deliveryId: two.id, courierId: kept[1]!.decisions[0]!.courierId },
  ]);
  // A repeated offer is recorded again, although nothing differs: the earlier one may not have been made.
  const before = kept.length;
  const again = { deliveries: [one], couriers: [runCourier(at(100))] };
  run(again);
  run(again);
  expect(kept).toHaveLength(before + 2);
});

test('[O42] a withdrawn offer is kept as such', () => {
  const { kept, run } = memoryLog();
  const delivery = aDelivery();
  const asked = runCourier(at(8000));
  const offer = anOffer({ deliveryId: delivery.id, courierId: asked.courier.id, expiresAt: NOON + 25_000 });
  const input = { deliveries: [delivery], couriers: [asked], openOffers: [offer] };
  run(input);
  expect(kept[0]!.decisions).toMatchObject([{ verdict: 'offer_open', courierId: asked.courier.id, asked: [] }]);
  run(input, () => ({ outdone: [delivery.id] }));
  expect(kept[1]!.decisions).toMatchObject([{ verdict: 'withdrawn', deliveryId: delivery.id }]);
});

test('[O65] a courier who could not receive an offer is not recorded as asked, nor an answered offer as withdrawn', () => {
  const { kept, run } = memoryLog();
  const delivery = aDelivery();
  const [near, far] = [runCourier(at(300)), runCourier(at(3000))];
  const input = { deliveries: [delivery], couriers: [near, far] };
  const first = run(input, () => ({}), { opened: [] });
  expect(first.plan.pairs).toHaveLength(1);
  expect(kept[0]!.decisions).toMatchObject([{ verdict: 'not_opened', courierId: near.courier.id, asked: [] }]);
  expect(explainVerdict(kept[0]!.decisions[0]!)).toMatch(/^Its courier could not receive the offer/);
  // It already had an offer to the same courier. That is news here, and it is not after an offer of ours.
  const offer = anOffer({ deliveryId: delivery.id, courierId: near.courier.id, expiresAt: NOON + 25_000 });
  const during = { ...input, now: NOON + 5000, openOffers: [offer] };
  run(during);
  expect(kept[1]!.decisions).toMatchObject([{ verdict: 'offer_open', courierId: near.courier.id }]);
  // The courier answers before the offer can be withdrawn.
  const late = run(during, () => ({ outdone: [delivery.id] }), { withdrawn: [] });
  expect(late.plan.outdone).toEqual([offer]);
  expect(late.id).toBeNull();
});

test('[O65] of several couriers in a round, those whose offer was opened are recorded', () => {
  const { kept, run } = memoryLog();
  const delivery = aDelivery();
  const couriers = [300, 600, 900, 1200].map((m) => runCourier(at(m)));
  const closedOffers = Array.from({ length: world.settings.offers.parallelAfterRefusals }, () =>
    anOffer({ deliveryId: delivery.id, state: 'declined', closedAt: NOON - 1000 }),
  );
  const input = { deliveries: [delivery], couriers, closedOffers };
  const { pairs } = run(input).plan;
  expect(kept[0]!.decisions[0]!.asked).toEqual(pairs.map(({ courierId }) => courierId));
  expect(pairs).toHaveLength(3);
  run(input, () => ({}), { opened: pairs.slice(1, 2) });
  const [row] = kept[1]!.decisions;
  expect(row).toMatchObject({ verdict: 'offered', courierId: pairs[0]!.courierId, asked: [pairs[1]!.courierId] });
  expect(explainVerdict(row!)).toBe('Its courier could not receive the offer; other couriers of the same round did.');
});

test('[O68] a leader whose courier has an offer from another region says so, and soon runs again without them', async () => {
  const place = { lat: CENTER.lat - 7, lng: CENTER.lng };
  const [near, far] = [await courierAt(world, place), await courierAt(world, { ...place, lat: place.lat + 0.02 })];
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, searchingAt: now };
  const over = { searchFromAt: now, searchUntilAt: now + 900_000, times };
  const delivery = await storeDelivery(world, { ...over, pickup: aStop(0, { place }) });
  // Far away, and not read by this region's leader. Only the store knows it.
  const other = await storeDelivery(world, over);
  await storeOffer(world, other, near, { region: other.region });
  const leases = leaseDesk(world.clock).of('one');
  const deliveries = { ...world.deliveries, regionsSearching: async () => [delivery.region] };
  // The next run of the period would come too late.
  const rare = { ...world.settings, dispatch: { ...world.settings.dispatch, periodMs: 60_000 } };
  const ports = { decisions, deliveries, leases, notices: phones(), bell: sharedBell() };
  running(startRegions({ ...world, ...ports, settings: rare }));
  await passUntil(world, async () => (await openOffersOf(world, [delivery])).length === 1);
  await until(async () => (await rowsOf(delivery.id)).some(isAsked));
  const rows = await rowsOf(delivery.id);
  expect(rows[0]!.at - rows[1]!.at).toBeLessThan(20_000);
  expect(rows.toReversed()).toMatchObject([
    { verdict: 'not_opened', courierId: near.id, asked: [] },
    { verdict: 'offered', courierId: far.id, asked: [far.id] },
  ]);
});

test('[O42] of hundreds of changes in one run the offers are kept first, and 200 in all', () => {
  const { kept, run } = memoryLog();
  const idle = Array.from({ length: 230 }, () => aDelivery({ liveMode: true }));
  const wanted = aDelivery();
  run({ deliveries: [...idle, wanted], couriers: [runCourier(at(100))] });
  expect(kept[0]!.decisions).toHaveLength(200);
  expect(kept[0]!.decisions[0]).toMatchObject({ deliveryId: wanted.id, verdict: 'offered' });
});

test('[O40] the decisions of a region are found by delivery, and its runs replay exactly, cut short or not', async () => {
  const notices = phones();
  const place = { lat: CENTER.lat + 7, lng: CENTER.lng };
  const [near, far] = [await courierAt(world, place), await courierAt(world, { ...place, lat: place.lat + 0.02 })];
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, searchingAt: now };
  const over = { pickup: aStop(0, { place }), searchFromAt: now, searchUntilAt: now + 900_000, times };
  const delivery = await storeDelivery(world, over);
  const others = await Promise.all(Array.from({ length: 6 }, () => storeDelivery(world, over)));
  let looks = 0;
  // Every second run has time for 32 rounds only.
  const matcher: Matcher = {
    answer: (request) => {
      const cut = looks++ % 2 === 0 ? 3 : Infinity;
      let seen = 0;
      return Promise.resolve(answerRun(request, () => (seen += 1) >= cut));
    },
    stop: () => Promise.resolve(),
  };
  const leases = leaseDesk(world.clock).of('one');
  const deliveries = { ...world.deliveries, regionsSearching: async () => [delivery.region] };
  running(startRegions({ ...world, decisions, deliveries, matcher, notices, bell: sharedBell(), leases }));
  await passUntil(world, () => notices.shown.length === 2);
  for (const offer of await openOffersOf(world, [delivery, ...others])) {
    await declineOffer(world, { offerId: offer.id, reason: null }, asCourier({ id: offer.courierId, liveMode: false }));
  }
  await passUntil(world, () => notices.shown.length >= 3);
  const all = [delivery, ...others];
  await until(async () => (await Promise.all(all.map(({ id }) => rowsOf(id)))).flat().filter(isAsked).length >= 3);
  const rows = (await Promise.all(all.map(({ id }) => rowsOf(id)))).flat();
  expect(new Set(rows.filter(isAsked).flatMap(({ asked }) => asked))).toEqual(new Set([near.id, far.id]));
  const rounds = new Set<number>();
  for (const runId of new Set(rows.map((row) => row.runId))) {
    const run = await findRun(world.mongo, runId);
    rounds.add(run!.rounds);
    expect(run).toMatchObject({ region: delivery.region, fence: 1 });
    expect(differencesOf(run!.answer as RunAnswer, replayRun(run!.request as RunRequest, run!.rounds))).toEqual([]);
  }
  expect(rounds).toContain(32);
  expect(Math.max(...rounds)).toBeGreaterThan(32);
});

const isAsked = ({ asked }: DecisionRow): boolean => asked.length > 0;

test('[O45] each considered courier has a sentence with the reasons for or against them', () => {
  const { kept, run } = memoryLog();
  const [near, far] = [runCourier(at(300)), runCourier(at(6000))];
  run({ deliveries: [aDelivery()], couriers: [near, far] });
  const [row] = kept[0]!.decisions;
  const [chosen, other] = row!.candidates.map((one) => explainCandidate(row!, one));
  expect(chosen).toMatch(/^Chosen\. At the pickup in \d+ (s|min), accepts 8 offers in 10\.$/);
  expect(other).toMatch(
    /^Costs \d+ min more than the chosen courier\. At the pickup in \d+ min, accepts \d offers in 10\.$/,
  );
  const [best] = row!.candidates;
  const turned = { ...row!, courierId: far.courier.id };
  expect(explainCandidate(turned, best!)).toMatch(
    /^Received an offer at the same time\. Costs \d+ min less for this delivery alone/,
  );
  expect(explainCandidate({ ...row!, courierId: null, asked: [] }, best!)).toMatch(/^At the pickup/);
});
