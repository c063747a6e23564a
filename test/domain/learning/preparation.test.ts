import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseEstimate,
  expectedReadyAt,
  preparationKeyOf,
  readinessOf,
  readyEstimate,
  samplePreparation,
  type LearnedSpan,
} from '../../../src/domain/learning/preparation.ts';
import { preparationAtBirth } from '../../../src/domain/deliveries/delivery.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, aDelivery, aStop, CENTER, heldBy, NOON } from '../../builders.ts';

const MINUTE = 60_000;
const after = (minutes: number): number => NOON + minutes * MINUTE;

describe('when the goods are ready', () => {
  const span = fc.integer({ min: 0, max: 120 * MINUTE });
  const scene = fc.record({
    priority: fc.constantFrom('express', 'scheduled'),
    namedAt: fc.option(span.map((ms) => NOON + ms)),
    calledAt: fc.option(span.map((ms) => NOON + ms)),
    estimate: fc.option(span.map((ms) => ({ ms }))),
    now: span.map((ms) => NOON + ms),
  });

  test('[D69] the report comes before the named time, and that before the estimate; only an estimate moves on', () => {
    fc.assert(
      fc.property(scene, ({ priority, namedAt, calledAt, estimate, now }) => {
        const window = namedAt === null ? null : { readyAt: namedAt, deadlineAt: null };
        const delivery = aDelivery({ priority, pickup: aStop(0, { window }), times: { readyAt: calledAt } });
        const expected = expectedReadyAt(delivery, estimate);
        const asked = readyEstimate(delivery, estimate, now);
        if (calledAt !== null) {
          expect(expected).toBe(priority === 'scheduled' ? Math.max(calledAt, namedAt ?? 0) : calledAt);
        } else {
          expect(expected).toBe(namedAt ?? NOON + (estimate?.ms ?? 0));
        }
        const isSaid = calledAt !== null || namedAt !== null;
        expect(asked).toBe(isSaid ? expected : Math.max(expected, now));
      }),
    );
  });
});

describe('the sample of a pickup', () => {
  const courier = aCourier();
  /** Ordered at noon. Times are minutes after it; null if it did not happen. */
  const collected = (
    times: { ready?: number; arrived?: number; collected: number },
    over: Parameters<typeof aDelivery>[0] = {},
  ) => {
    const at = (minutes: number | undefined): number | null => (minutes === undefined ? null : after(minutes));
    const known = {
      readyAt: at(times.ready),
      arrivedPickupAt: at(times.arrived),
      pickedUpAt: after(times.collected),
    };
    return heldBy(courier, 'picked_up', { ...over, times: { createdAt: NOON, ...known } });
  };

  test.each([
    ['reported before the courier came', { ready: 9, arrived: 12, collected: 13 }, 9, false],
    ['reported, without an arrival of the courier', { ready: 9, collected: 13 }, 9, false],
    ['the courier waited for the report', { ready: 15, arrived: 12, collected: 16 }, 15, false],
    ['the courier waited, without a report', { arrived: 12, collected: 16 }, 16, false],
    ['reported while the courier was at the pickup', { ready: 13, arrived: 12, collected: 14 }, 13, true],
    ['the courier received the goods at once', { arrived: 12, collected: 14 }, 14, true],
    ['no arrival and no report', { collected: 14 }, 14, true],
  ] as const)('[D70] %s', (_case, times, minutes, isBound) => {
    const delivery = collected(times);
    expect(readinessOf(delivery)).toEqual({ at: after(minutes), isBound });
    expect(samplePreparation(delivery)).toMatchObject({ ms: minutes * MINUTE, isBound, hour: 12 });
  });

  test('[D70] nothing is known before the goods are collected', () => {
    expect(readinessOf(aDelivery({ times: { readyAt: NOON } }))).toBeNull();
    expect(samplePreparation(aDelivery({ times: { readyAt: NOON } }))).toBeNull();
  });

  test('[D71] a named ready time, a return and a robo-courier give no sample; a delay does not hide the true time', () => {
    const times = { ready: 9, arrived: 12, collected: 13 };
    const window = { readyAt: after(20), deadlineAt: null };
    const delayed = { ...preparationAtBirth(null, null), delays: 1, delayedMs: 20 * MINUTE };
    const named = { pickup: aStop(0, { window }), preparation: preparationAtBirth(window, null) };
    for (const over of [named, { kind: 'return' }, { robo: { timeScale: 1 } }] as const) {
      expect(samplePreparation(collected(times, over))).toBeNull();
    }
    const putOff = collected(times, { pickup: aStop(0, { window }), preparation: delayed });
    expect(samplePreparation(putOff)).toMatchObject({ ms: 9 * MINUTE, isBound: false });
  });
});

describe('the choice of the estimate', () => {
  const spans = fc.option(fc.record({ ms: fc.nat(7_200_000), seen: fc.double({ min: 0, max: 60, noNaN: true }) }));

  test('[D72] the hour, the place, the vendor, the default: the first with enough samples wins', () => {
    fc.assert(
      fc.property(spans, spans, spans, (hour, location, vendor) => {
        const rule = { leastSeen: 8, defaultMs: 1 };
        const chosen = chooseEstimate({ hour, location, vendor }, rule);
        const levels: [string, LearnedSpan | null][] = [
          ['hour', hour],
          ['location', location],
          ['vendor', vendor],
        ];
        const [source, span] = levels.find(([, one]) => one !== null && one.seen >= 8) ?? ['default', null];
        expect(chosen).toEqual({ source, ms: span?.ms ?? 1 });
      }),
    );
  });

  test('[D72] one pickup location is one place, whatever the last digits; the hour is that of the order in UTC', () => {
    const vendorId = newId('ven');
    const keyAt = (eastM: number) =>
      preparationKeyOf(aDelivery({ vendorId, pickup: aStop(0, { place: offsetBy(CENTER, eastM, 0) }) }));
    expect(keyAt(1)).toEqual(keyAt(0));
    expect(keyAt(500).cell).not.toBe(keyAt(0).cell);
    expect(keyAt(0)).toMatchObject({ vendorId, liveMode: false, hour: 12 });
    expect(preparationKeyOf(aDelivery({ times: { createdAt: after(719) } })).hour).toBe(23);
  });
});
