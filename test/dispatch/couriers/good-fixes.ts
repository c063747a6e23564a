import type { Random } from '../../../load-tests/random.ts';
import type { Fix } from '../../../src/domain/couriers/position.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { CENTER, NOON } from '../../builders.ts';

/** Highest speed of each vehicle, and how fast it speeds up and brakes: metres per second. */
export const VEHICLES = {
  bicycle: { mostMps: 30 / 3.6, perS: 1 },
  scooter: { mostMps: 50 / 3.6, perS: 2 },
  car: { mostMps: 130 / 3.6, perS: 2.5 },
} as const;

/** A fix that a phone sent in good faith, when it arrived, and how far off it is in metres. */
export type GoodFix = { readonly fix: Fix; readonly arrivesAt: number; readonly errorM: number };

const FIX_EVERY_S = 4;
/** Phones report the radius in which 68 % of the places are. Errors in two directions are normal, so the distance is Rayleigh. */
const RADIUS_IN_DEVIATIONS = Math.sqrt(-2 * Math.log(1 - 0.68));
const [BEST_ACCURACY_M, WORST_GOOD_ACCURACY_M] = [5, 30];
const MOST_TUNNEL_S = 60;
const BETWEEN_TUNNELS_S = 30;
const MOST_LATE_MS = 3000;

/** The ride of one courier, second by second: stretches at a steady speed, turns and stops, now and then a tunnel. */
function* ride(random: Random, vehicle: keyof typeof VEHICLES, seconds: number) {
  const { mostMps, perS } = VEHICLES[vehicle];
  let [east, north, speed, heading] = [0, 0, 0, random.between(0, 360)];
  let [target, targetUntil, tunnelUntil] = [0, 0, 0];
  for (let second = 0; second < seconds; second += 1) {
    if (second >= targetUntil) {
      const isStop = target > 0 && random.next() < 0.5;
      target = isStop ? 0 : mostMps * random.between(0.3, 1);
      targetUntil = second + random.between(5, isStop ? 120 : 60);
      // No vehicle turns at full speed.
      if (speed < 10) heading += random.pick([0, 90, -90], (angle) => (angle === 0 ? 2 : 1));
    }
    const isOut = second >= tunnelUntil + BETWEEN_TUNNELS_S;
    if (isOut && random.next() < 1 / 180) tunnelUntil = second + random.between(5, MOST_TUNNEL_S);
    speed += Math.max(-2 * perS, Math.min(perS, target - speed));
    heading += random.normal(0, 2);
    east += speed * Math.sin((heading * Math.PI) / 180);
    north += speed * Math.cos((heading * Math.PI) / 180);
    yield { second, east, north, speed, heading: ((heading % 360) + 360) % 360, isInTunnel: second < tunnelUntil };
  }
}

/**
 * The fixes of one courier's phone: one every 4 s outside tunnels, with an error that changes slowly. Each arrives up to 3 s
 * late, and the phone's clock is up to 2 s wrong.
 */
export function* goodFixes(random: Random, vehicle: keyof typeof VEHICLES, seconds: number): Generator<GoodFix> {
  const clockErrorMs = random.between(-2000, 2000);
  const kept = Math.exp(-1 / random.between(5, 60));
  const drift = (before: number): number => kept * before + Math.sqrt(1 - kept ** 2) * random.normal(0, 1);
  let error = [random.normal(0, 1), random.normal(0, 1)] as const;
  let accuracyM = random.between(BEST_ACCURACY_M, WORST_GOOD_ACCURACY_M);
  let seq = 0;
  for (const { second, east, north, speed, heading, isInTunnel } of ride(random, vehicle, seconds)) {
    error = [drift(error[0]), drift(error[1])];
    const next = accuracyM + random.normal(0, 1);
    accuracyM = Math.max(BEST_ACCURACY_M, Math.min(WORST_GOOD_ACCURACY_M, next));
    if (isInTunnel || second % FIX_EVERY_S > 0) continue;
    const deviationM = accuracyM / RADIUS_IN_DEVIATIONS;
    const [offEast, offNorth] = [error[0] * deviationM, error[1] * deviationM];
    const at = NOON + second * 1000;
    const place = offsetBy(CENTER, east + offEast, north + offNorth);
    seq += 1;
    yield {
      fix: { seq, at: Math.round(at + clockErrorMs), ...place, accuracyM, speedMps: speed, headingDeg: heading },
      arrivesAt: Math.round(at + random.between(0, MOST_LATE_MS)),
      errorM: Math.hypot(offEast, offNorth),
    };
  }
}
