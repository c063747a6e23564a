import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measure, parseOptions } from '../../../load-tests/bench-sockets.ts';
import { judge, lastLine, tableOf, type Round } from '../../../load-tests/sockets/report.ts';
import { testEngines } from '../../engines.ts';

test('[Y47] every figure is measured on a real server and on a raw one, and the frames arrive', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('bench-sockets');
  const dir = await mkdtemp(join(tmpdir(), 'sockets-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const options = { repeats: 1, seconds: 1, rooms: 2, cells: 4, dispatchers: 2, stall: 7, connections: 20, json: null };
  const place = { mongoUrl, redisUrl, prefix: keyPrefix, dir, isPinned: false, stopFirst: onTestFinished };
  const { rounds } = await measure(place, options, () => {});
  const [{ smallRooms, largeRooms, map, opening, stall } = aRound()] = rounds;
  expect(rounds).toHaveLength(1);
  for (const { raw, server } of [smallRooms, largeRooms]) {
    expect([raw.refused, server.refused]).toEqual([0, 0]);
    expect(raw.arrived).toBe(1);
    // The server merges pings of a courier that a busy machine has delayed into the same tick.
    expect(server.arrived).toBeGreaterThan(0.5);
    expect(server.arrived).toBeLessThanOrEqual(1);
  }
  expect(map.perFrame).toBeGreaterThan(10);
  expect(opening.raw.handshakeUs).toBeGreaterThan(0);
  expect(opening.server.handshakeUs).toBeGreaterThan(opening.raw.handshakeUs);
  expect(opening.server.kib).not.toBeNaN();
  expect(stall.kib).not.toBeNaN();
  // Each reader gets the frame that waited for them. On a busy machine a later one may be old too.
  expect(stall.oldFrames).toBeGreaterThanOrEqual(1);
});

/** A round whose figures are at their limits. */
function aRound(): Round {
  const raw = { us: 10, arrived: 1, refused: 0 };
  return {
    smallRooms: { raw, server: { ...raw, us: 20 } },
    largeRooms: { raw, server: { ...raw, us: 16 } },
    map: { bystanderUs: 1, aloneUs: 4, sharedUs: 1.5, perFrame: 20 },
    opening: { raw: { handshakeUs: 100, kib: 10 }, server: { handshakeUs: 350, kib: 25 } },
    stall: { kib: 64, oldFrames: 1 },
  };
}

test('[Y47] the medians are judged, and exactly the missed limits are named', () => {
  const good = aRound();
  const bad = { ...good, map: { ...good.map, sharedUs: 9 } };
  expect(judge([good, bad, good]).problems).toEqual([]);
  expect(lastLine(judge([good]))).toBe('ok 1 alternations');
  const missed = judge([bad, good, bad]);
  expect(missed.problems).toEqual(['map, many dispatchers: µs a position for each: 9.00, at most 1.5 wanted']);
  expect(lastLine(missed)).toMatch(/^failed: map, many/);
  expect(tableOf(missed)).toContain('| map, many dispatchers: µs a position for each | 1.50 / 9.00 | – | 9.00 | 1.5 |');
  const full = { ...good, stall: { kib: 65, oldFrames: 1.5 } };
  expect(judge([full]).problems).toEqual([
    'reader who does not read: KiB: 65.00, at most 64 wanted',
    'reader who reads again: old frames: 1.50, at most 1 wanted',
  ]);
  const heavy = { ...good, opening: { ...good.opening, server: { handshakeUs: 360, kib: 26 } } };
  expect(judge([heavy]).problems).toEqual([
    'idle connection: KiB: 2.60 of raw, at most 2.5 wanted',
    'handshake with its token: µs: 3.60 of raw, at most 3.5 wanted',
  ]);
});

test('[Y47] refused pings and missing frames fail the run, because its figures are worth nothing', () => {
  const good = aRound();
  const { server } = good.smallRooms;
  const refused = { ...good, smallRooms: { ...good.smallRooms, server: { ...server, refused: 3 } } };
  expect(judge([refused]).problems).toEqual(['3 pings were refused']);
  const lost = { ...good, smallRooms: { ...good.smallRooms, server: { ...server, arrived: 0.89 } } };
  expect(judge([lost]).problems).toEqual(['in 1 measurements under 90 % of the frames arrived']);
});

test('[Y47] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toMatchObject({ repeats: 5, cells: 40, connections: 8000, json: null });
  expect(() => parseOptions(['--cells', '50'])).toThrow(/--cells must be a whole number from 1 to 49/);
});
