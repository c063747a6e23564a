import { expect, test } from 'vitest';
import { answerRun, type RunAnswer, type RunRequest } from '../../../src/dispatch/match/answer.ts';
import { prepareRun } from '../../../src/dispatch/regions/run/plan.ts';
import { seeded } from '../../../src/dispatch/match/random.ts';
import { compareDecisions, differencesOf, replayRun } from '../../../src/dispatch/regions/replay-run.ts';
import { pack, unpack } from '../../../src/models/regions/pack.ts';
import { aDelivery, aStop } from '../../builders.ts';
import { at, runCourier, runInput } from '../match/fixtures.ts';

/** A lunch with too few couriers: about 60 orders of ten pickup locations, and 15 couriers. */
function lunch(seed: number): RunRequest {
  const random = seeded(seed);
  const anywhere = () => at(Math.round(random() * 6000), Math.round(random() * 6000));
  const counters = Array.from({ length: 10 }, anywhere);
  const deliveries = Array.from({ length: 60 }, (_, i) =>
    aDelivery({
      pickup: aStop(0, { place: counters[i % counters.length]! }),
      dropOffs: [aStop(1, { place: anywhere() })],
    }),
  );
  const couriers = Array.from({ length: 15 }, () => runCourier(anywhere()));
  const first = prepareRun(runInput({ deliveries, couriers }), [], seed);
  const { kept } = answerRun(first.request);
  return prepareRun(runInput({ deliveries, couriers }), kept, seed + 1).request;
}

/** The form in which the store keeps it: bytes, and data again. */
const stored = <T extends object>(data: T): T => unpack(pack(data)) as T;

/** Time is up at the n-th look at the clock. */
function cutAt(looks: number): () => boolean {
  let seen = 0;
  return () => (seen += 1) >= looks;
}

test('[O40] a stored run is answered again exactly, whether its search was complete or cut short', () => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const request = lunch(seed);
    const whole = answerRun(request);
    const cut = [1, 2, 7, 40].map((looks) => answerRun(request, cutAt(looks)));
    expect(cut.map(({ rounds }) => rounds)).toEqual([0, 16, 96, 624]);
    expect(whole.rounds).toBeGreaterThan(1000);
    // The number of rounds matters: a replay with another number gives another answer.
    expect(differencesOf(whole, cut[1]!)).toContain('decisions');
    for (const answer of [whole, ...cut]) {
      expect(differencesOf(stored<RunAnswer>(answer), replayRun(stored(request), answer.rounds))).toEqual([]);
    }
  }
});

test('[O40] a replay makes the logged rounds, even if the number of orders would allow fewer', () => {
  const request = lunch(1);
  const search = { ...request.rules.search, mostRounds: 40, roundsPerOrder: 0.5 };
  const few: RunRequest = { ...request, rules: { ...request.rules, search } };
  const answer = answerRun(few);
  expect(answer.rounds).toBe(30);
  expect(differencesOf(answer, replayRun(few, 30))).toEqual([]);
});

test('[O40] differences are reported by part and by delivery', () => {
  const answer = answerRun(lunch(3));
  const [first, second, ...others] = answer.decisions;
  const other: RunAnswer = { ...answer, decisions: [{ ...first!, costS: first!.costS + 1e-9 }, ...others] };
  expect(differencesOf(answer, other)).toEqual(['decisions']);
  const compared = compareDecisions(answer, other);
  expect(compared.filter(({ isSame }) => !isSame)).toMatchObject([
    { deliveryId: first!.deliveryId },
    { deliveryId: second!.deliveryId, again: null },
  ]);
});
