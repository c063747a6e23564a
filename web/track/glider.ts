import { glideMs, metresBetween, poseBetween, type Fix, type Pose } from '../shared/glide.ts';
import { poseAt, snap, type StreetLine } from '../shared/street-line.ts';

/** The page on which the courier is drawn. */
export type Screen = {
  /** Machine time, ms. */
  now(): number;
  /** Calls back before the next picture is drawn. */
  onFrame(frame: () => void): void;
  /** Whether the reader prefers reduced motion. */
  isStill(): boolean;
};

/** The courier as the map draws them. `alongM` is null while the courier is not on the line. */
export type Drawn = { readonly pose: Pose; readonly alongM: number | null; readonly travelled: readonly Pose[] };

type Aim = Omit<Drawn, 'travelled'>;

const MOST_TRAVELLED = 2000;
/**
 * A courier goes at most so many times as far along the line as in a straight line, and this many metres more. Otherwise one
 * wrong position could carry them past a detour, and they never go backwards.
 */
const [DETOUR, SLACK_M] = [3, 100];

/**
 * Moves a courier from fix to fix in the time between the last two, along the line where they are on it. They never go
 * backwards there. Readers who prefer reduced motion see them jump.
 */
export function createGlider(screen: Screen, draw: (drawn: Drawn) => void) {
  const travelled: Pose[] = [];
  let line: StreetLine | null = null;
  /** Where the courier was on the line last; null before that. */
  let last: { readonly fix: Fix; readonly alongM: number } | null = null;
  let from: Aim | null = null;
  let to: (Aim & { readonly fix: Fix }) | null = null;
  let startedAt = 0;
  let tookMs = 0;
  const now = (target: Aim): Aim => {
    const part = screen.isStill() ? 1 : Math.min(1, (screen.now() - startedAt) / tookMs);
    return from === null || part === 1 ? target : between(line, from, target, part);
  };
  const tick = (target: Aim): void => {
    if (target !== to) return;
    draw({ ...now(target), travelled });
    if (screen.now() < startedAt + tookMs) screen.onFrame(() => tick(target));
  };
  const aimAt = (fix: Fix): Aim => {
    const reachM = last === null ? Infinity : last.alongM + DETOUR * metresBetween(last.fix, fix) + SLACK_M;
    const alongM = line === null ? null : snap(line, fix, last?.alongM ?? 0, reachM);
    if (line === null || alongM === null) return { pose: fix, alongM: null };
    last = { fix, alongM };
    return { pose: poseAt(line, alongM), alongM };
  };
  return {
    /** Draws on another line from now on; null stands for none. */
    followLine: (next: StreetLine | null): void => {
      [line, last, from] = [next, null, null];
      if (to === null) return;
      to = { ...aimAt(to.fix), fix: to.fix };
      tick(to);
    },
    moveTo: (fix: Fix): void => {
      if (fix.at === to?.fix.at) return;
      if (to !== null) {
        from = now(to);
        travelled.push(to.fix);
        if (travelled.length > MOST_TRAVELLED) travelled.shift();
      }
      const at = screen.now();
      tookMs = glideMs(to === null ? 0 : at - startedAt);
      startedAt = at;
      to = { ...aimAt(fix), fix };
      tick(to);
    },
    /** Forgets where the courier is and was, and draws nothing more until they move again. */
    stop: (): void => {
      [last, from, to] = [null, null, null];
      travelled.length = 0;
    },
  };
}

function between(line: StreetLine | null, from: Aim, to: Aim, part: number): Aim {
  if (line === null || from.alongM === null || to.alongM === null) {
    return { pose: poseBetween(from.pose, to.pose, part), alongM: null };
  }
  const alongM = from.alongM + (to.alongM - from.alongM) * part;
  return { pose: poseAt(line, alongM), alongM };
}
