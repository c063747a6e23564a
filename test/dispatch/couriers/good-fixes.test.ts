import { expect, test } from 'vitest';
import { createRandom } from '../../../load-tests/random.ts';
import { recordPositions, type Recorded } from '../../../src/dispatch/couriers/record-positions.ts';
import type { Fix, Position } from '../../../src/domain/couriers/position.ts';
import { distanceM } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { keptMetrics, keptPositions } from '../../kept-ports.ts';
import { goodFixes, VEHICLES } from './good-fixes.ts';

const SEEDS = 200;
const RIDE_S = 600;
const vehicles = Object.keys(VEHICLES) as (keyof typeof VEHICLES)[];

function aServer() {
  return {
    positions: keptPositions(),
    phones: new Map(),
    clock: handClock(NOON),
    settings: defaultSettings(),
    metrics: keptMetrics(),
  };
}

/** A fix that is hardly away from the last position need not move the courier. It is not rejected by that. */
function isRejected({ dropped }: Recorded, pin: Position | null, fix: Fix): boolean {
  return dropped > 0 || pin === null || distanceM(pin, fix) > Math.max(5, fix.accuracyM / 2);
}

test.each(vehicles)('[G12] of the good fixes of a %s, fewer than one in 1,000 is rejected', async (vehicle) => {
  let [sent, rejected, within, longestGapMs, fastestMps] = [0, 0, 0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const server = aServer();
    const courierId = newId('cou');
    let before = Infinity;
    for (const { fix, arrivesAt, errorM } of goodFixes(createRandom(seed), vehicle, RIDE_S)) {
      await server.clock.advance(arrivesAt - server.clock.now());
      const recorded = recordPositions(server, courierId, [fix]);
      if (isRejected(recorded, server.positions.last(courierId), fix)) rejected += 1;
      sent += 1;
      if (errorM <= fix.accuracyM) within += 1;
      longestGapMs = Math.max(longestGapMs, fix.at - before);
      fastestMps = Math.max(fastestMps, fix.speedMps);
      before = fix.at;
    }
  }
  expect(rejected / sent).toBeLessThan(0.001);
  // The rides are as good and as hard as the rule says.
  expect(sent).toBeGreaterThan(20_000);
  expect(within / sent).toBeCloseTo(0.68, 1);
  expect(longestGapMs).toBeGreaterThanOrEqual(60_000);
  expect(fastestMps).toBeGreaterThan(0.95 * VEHICLES[vehicle].mostMps);
});
