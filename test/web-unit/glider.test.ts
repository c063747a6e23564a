import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metresBetween } from '../../web/shared/glide.ts';
import { poseAt, snap, type StreetLine } from '../../web/shared/street-line.ts';
import { createGlider, type Drawn } from '../../web/track/glider.ts';
import { at, lineOf, START, type Place } from './lines.ts';

/** A courier on a line, and everything that was drawn of them. */
function drive(line: StreetLine | null, isStill = false) {
  let now = 0;
  let fixes = 0;
  const frames: (() => void)[] = [];
  const drawn: Drawn[] = [];
  const screen = { now: () => now, onFrame: (frame: () => void) => void frames.push(frame), isStill: () => isStill };
  const glider = createGlider(screen, (next) => void drawn.push(next));
  glider.followLine(line);
  return {
    drawn,
    frames,
    glider,
    pass: (ms: number): void => {
      const until = now + ms;
      while (now < until) {
        now = Math.min(until, now + 50);
        for (const frame of frames.splice(0)) frame();
      }
    },
    last: (): Drawn => drawn.at(-1) ?? { pose: { ...START, heading: NaN }, alongM: null, travelled: [] },
    move: (to: Place): void => glider.moveTo({ ...to, heading: 0, at: (fixes += 1) }),
  };
}

const metres = fc.integer({ min: -300, max: 300 });
const place = fc.tuple(metres, metres).map(([eastM, northM]) => at(eastM, northM));
const street = fc.array(place, { minLength: 2, maxLength: 20 }).map((points) => lineOf(...points));
const seen = fc.array(fc.record({ place, afterMs: fc.integer({ min: 0, max: 7000 }) }), {
  minLength: 1,
  maxLength: 12,
});

test('[V71] a drawn courier never goes backwards along the line, and ends at the newest position', () => {
  fc.assert(
    fc.property(street, seen, (line, positions) => {
      const { drawn, pass, move, last } = drive(line);
      for (const { place: to, afterMs } of positions) {
        pass(afterMs);
        move(to);
      }
      pass(5000);
      const alongM = drawn.flatMap((one) => (one.alongM === null ? [] : [one.alongM]));
      expect(alongM.filter((m, index) => m < (alongM[index - 1] ?? 0) - 1e-6)).toEqual([]);
      for (const { pose, alongM: m } of drawn) if (m !== null) expect(pose).toEqual(poseAt(line, m));
      const newest = positions.at(-1)?.place ?? START;
      expect(metresBetween(last().pose, newest)).toBeLessThan(last().alongM === null ? 1e-6 : 51);
    }),
  );
});

test('[V71] a position away from the line leaves it, and the next one on it comes back to it', () => {
  const line = lineOf(at(0, 0), at(1000, 0), at(1000, 1000));
  const { pass, move, last } = drive(line);
  for (const [to, alongM] of [
    [at(100, 10), 100],
    [at(300, 200), null],
    [at(600, -20), 600],
    // It is on the line, and yet behind the courier.
    [at(500, 0), null],
  ] as const) {
    pass(1000);
    move(to);
    pass(5000);
    if (alongM === null) expect(last()).toMatchObject({ pose: to, alongM });
    else expect(last().alongM).toBeCloseTo(alongM, 0);
  }
  expect(snap(line, at(500, 0), 600)).toBeNull();
});

test('[V71] between two positions the courier is on the line, where the straight way leaves it', () => {
  const line = lineOf(at(0, 0), at(400, 0), at(400, 400));
  const { frames, pass, move, last } = drive(line);
  move(at(200, 0));
  pass(4000);
  move(at(400, 200));
  pass(2000);
  // Halfway: at the corner, and not 140 m beside it.
  expect(last().alongM).toBeCloseTo(400, 0);
  expect(metresBetween(last().pose, at(400, 0))).toBeLessThan(1);
  pass(2000);
  expect(metresBetween(last().pose, at(400, 200))).toBeLessThan(1);
  expect(frames).toHaveLength(0);
});

test('[V71] without a line the courier goes straight, and their former positions are drawn', () => {
  const { pass, move, last } = drive(null);
  move(at(0, 0));
  pass(4000);
  move(at(400, 400));
  pass(2000);
  expect(metresBetween(last().pose, at(200, 200))).toBeLessThan(1);
  expect(last().travelled).toMatchObject([at(0, 0)]);
});

test('[V71] another line takes the courier to it at once, and may lie behind the former one', () => {
  const { glider, pass, move, last } = drive(lineOf(at(0, 0), at(1000, 0)));
  move(at(500, 0));
  pass(1000);
  glider.followLine(lineOf(at(450, -10), at(1000, -10)));
  expect(last().alongM).toBeCloseTo(50, 0);
  glider.followLine(null);
  expect(last()).toMatchObject({ pose: at(500, 0), alongM: null });
});

test('[V71] readers who prefer reduced motion see the courier jump', () => {
  const { pass, move, last } = drive(lineOf(at(0, 0), at(1000, 0)), true);
  move(at(100, 0));
  pass(4000);
  move(at(700, 0));
  expect(last().alongM).toBeCloseTo(700, 0);
});

test('[V106] after the stop nothing says where the courier is or was, neither a frame nor another line', () => {
  const { drawn, glider, pass, move, last } = drive(lineOf(at(0, 0), at(1000, 0)));
  move(at(100, 0));
  pass(4000);
  move(at(700, 0));
  pass(1000);
  glider.stop();
  const before = drawn.length;
  pass(5000);
  expect(drawn).toHaveLength(before);
  // Far behind the former place, and yet the courier appears there at once.
  move(at(50, 0));
  expect(last().alongM).toBeCloseTo(50, 0);
  expect(last().travelled).toEqual([]);
  glider.stop();
  glider.followLine(lineOf(at(0, 0), at(0, 1000)));
  expect(drawn).toHaveLength(before + 1);
});
