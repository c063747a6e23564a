import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { recordPositions } from '../../../src/dispatch/couriers/record-positions.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { Fix } from '../../../src/domain/couriers/position.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aFix, aPosition, CENTER, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { keptMetrics, keptPositions } from '../../kept-ports.ts';

function aServer(settings = defaultSettings()) {
  return {
    positions: keptPositions(),
    phones: new Map(),
    clock: handClock(NOON + 3_600_000),
    settings,
    metrics: keptMetrics(),
  };
}

/** Fixes numbered from `first`, 4 s and 20 m apart; number 1000 was taken at 12:50. */
function drive(first: number, count: number, over: Partial<Fix> = {}): Fix[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = first + index;
    return aFix(seq, {
      at: NOON + 3_000_000 + (seq - 1000) * 4000,
      ...offsetBy(CENTER, (seq - 1000) * 20, 0),
      ...over,
    });
  });
}

test('[G4] a backlog moves the courier once, to its newest good fix', () => {
  const server = aServer();
  const courierId = newId('cou');
  const fixes = drive(1000, 50);
  expect(recordPositions(server, courierId, fixes)).toEqual({ seq: 1049, accepted: 50, dropped: 0 });
  expect(server.positions.puts).toEqual([{ ...fixes[49], courierId, receivedAt: server.clock.now() }]);
  expect(server.metrics.counts.get('position_fixes_total accepted')).toBe(50);
});

test('[G5] bad fixes are counted by reason, are received, and show only that the courier is there', () => {
  const server = aServer();
  const courierId = newId('cou');
  recordPositions(server, courierId, drive(1000, 1));
  const bad = [aFix(1001, { lat: 0, lng: 0 }), ...drive(1002, 1, { at: NOON }), ...drive(1003, 1, { accuracyM: 900 })];
  expect(recordPositions(server, courierId, bad)).toEqual({
    seq: 1003,
    accepted: 0,
    dropped: 3,
    reason: 'out_of_range',
  });
  expect(server.positions.puts).toHaveLength(1);
  expect(server.positions.touched).toEqual([courierId]);
  for (const verdict of ['out_of_range', 'too_old', 'inaccurate']) {
    expect(server.metrics.counts.get(`position_fixes_total ${verdict}`)).toBe(1);
  }
  expect(recordPositions(server, courierId, drive(1000, 1)).dropped).toBe(1);
});

test('[G6] beyond two batches a second and a burst of ten, a batch is dropped whole with a time to wait', async () => {
  const server = aServer();
  const courierId = newId('cou');
  for (let batch = 0; batch < 10; batch += 1) recordPositions(server, courierId, drive(1000 + batch, 1));
  const over = recordPositions(server, courierId, drive(1010, 3));
  expect(over).toEqual({ seq: 1009, accepted: 0, dropped: 3, reason: 'too_many', slowDownMs: 500 });
  expect(recordPositions(server, newId('cou'), drive(1000, 1)).slowDownMs).toBeUndefined();
  await server.clock.advance(500);
  expect(recordPositions(server, courierId, drive(1010, 3))).toEqual({ seq: 1012, accepted: 3, dropped: 0 });
});

test('[G7] the answered number stops before a hole, until the hole is filled or given up', () => {
  const server = aServer();
  const courierId = newId('cou');
  const send = (first: number, count: number): number => recordPositions(server, courierId, drive(first, count)).seq;
  expect(send(1000, 2)).toBe(1001);
  expect(send(1004, 2)).toBe(1001);
  expect(send(1002, 4)).toBe(1005);
  expect(send(1010, 2)).toBe(1005);
  expect(send(1010, 3)).toBe(1012);
});

test('[G8] a phone that counts from the start again is accepted, by time', () => {
  const server = aServer();
  const courierId = newId('cou');
  recordPositions(server, courierId, drive(1000, 5));
  const anew = drive(1005, 2).map((fix, index) => ({ ...fix, seq: index }));
  expect(recordPositions(server, courierId, anew)).toEqual({ seq: 1, accepted: 2, dropped: 0 });
  expect(recordPositions(server, courierId, anew).accepted).toBe(0);
});

test('[H425] fixes that are sent again never lower the answered number, also those that did not move the courier', () => {
  const server = aServer();
  const courierId = newId('cou');
  const send = (fixes: readonly Fix[]): number => recordPositions(server, courierId, fixes).seq;
  const still = drive(1003, 3).map((fix) => ({ ...fix, ...offsetBy(CENTER, 40, 0), accuracyM: 300 }));
  expect(send([...drive(1000, 3), ...still])).toBe(1005);
  for (const again of still) expect(send([again])).toBe(1005);
  expect(send(drive(1006, 1))).toBe(1006);
});

test('[H425] an old number begins a new count only with a time that is newer than all before and not ahead', () => {
  const server = aServer();
  const courierId = newId('cou');
  const send = (fix: Fix | undefined): number => recordPositions(server, courierId, fix === undefined ? [] : [fix]).seq;
  recordPositions(server, courierId, drive(1000, 10));
  const [next] = drive(1010, 1);
  if (next === undefined) throw new Error('there is no fix');
  expect(send({ ...next, seq: 3, at: server.clock.now() + 60_000 })).toBe(1009);
  expect(send({ ...next, seq: 3, at: next.at - 6000 })).toBe(1009);
  expect(send(next)).toBe(1010);
  expect(send({ ...next, seq: 3, at: next.at + 4000 })).toBe(3);
});

/** A batch that begins this many fixes before the first one that the server does not have. */
const part = fc.record({ back: fc.integer({ min: 0, max: 6 }), count: fc.integer({ min: 1, max: 5 }) });

property.prop([fc.array(part, { minLength: 1, maxLength: 40 })], { numRuns: 200 })(
  '[H425] whatever is sent again, the answered number only rises',
  (parts) => {
    const server = aServer();
    server.settings.positions.batchBurst = 1000;
    const courierId = newId('cou');
    const fixes = drive(1000, 100).map((fix, index) => (index % 3 === 0 ? fix : { ...fix, accuracyM: 900 }));
    let highest = recordPositions(server, courierId, fixes.slice(0, 1)).seq;
    for (const { back, count } of parts) {
      const start = Math.max(0, highest + 1 - 1000 - back);
      const { seq } = recordPositions(server, courierId, fixes.slice(start, start + count));
      expect(seq).toBeGreaterThanOrEqual(highest);
      highest = seq;
    }
  },
);

test('[G9] another process continues where the last one stopped', () => {
  const server = aServer();
  const courierId = newId('cou');
  recordPositions(server, courierId, drive(1000, 3));
  const [elsewhere] = drive(1010, 1);
  server.positions.put(aPosition({ ...elsewhere, courierId }));
  expect(recordPositions(server, courierId, drive(1009, 1)).accepted).toBe(0);
  expect(recordPositions(server, courierId, drive(1011, 2))).toEqual({ seq: 1012, accepted: 2, dropped: 0 });
});

test('[G10] the number of remembered phones is limited; the least recently active one is forgotten', () => {
  const settings = defaultSettings();
  const server = aServer({ ...settings, sockets: { ...settings.sockets, mostPerProcess: 2 } });
  const [first, second, third] = [newId('cou'), newId('cou'), newId('cou')];
  for (const id of [first, second]) for (let n = 0; n < 10; n += 1) recordPositions(server, id, drive(1000 + n, 1));
  recordPositions(server, first, drive(1010, 1));
  recordPositions(server, third, drive(1000, 1));
  expect(recordPositions(server, first, drive(1010, 1)).slowDownMs).toBe(500);
  expect(recordPositions(server, second, drive(1010, 1)).slowDownMs).toBeUndefined();
});

test('[G11] the answer counts accepted and dropped fixes, and says why the first dropped one was dropped', () => {
  const answer = (fixes: Fix[]) => {
    const server = aServer();
    const courierId = newId('cou');
    recordPositions(server, courierId, drive(1000, 1));
    return recordPositions(server, courierId, fixes);
  };
  const [good] = drive(1001, 1);
  if (good === undefined) throw new Error('there is no fix');
  const inSeconds = { ...good, at: Math.round(good.at / 1000) };
  const swapped = { ...good, lat: good.lng, lng: good.lat };
  const beyond = { ...good, lat: 139.69, lng: 35.68 };
  expect(answer([good])).toEqual({ seq: 1001, accepted: 1, dropped: 0 });
  expect(answer([inSeconds])).toEqual({ seq: 1001, accepted: 0, dropped: 1, reason: 'too_old' });
  expect(answer([swapped])).toEqual({ seq: 1001, accepted: 0, dropped: 1, reason: 'suspect' });
  expect(answer([beyond])).toEqual({ seq: 1001, accepted: 0, dropped: 1, reason: 'out_of_range' });
  const mixed = [good, { ...swapped, seq: 1002 }, { ...inSeconds, seq: 1003 }, ...drive(1004, 2)];
  expect(answer(mixed)).toEqual({ seq: 1005, accepted: 3, dropped: 2, reason: 'out_of_order' });
});
