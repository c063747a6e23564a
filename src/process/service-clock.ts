import { createClock, MachineTime, wallOfMachine } from '../clock.ts';
import { keepGoing } from '../work/keep-going.ts';
import { createClockMark, type ClockMark } from '../models/settings/clock-mark.ts';
import type { Mongo } from '../engines/mongo.ts';
import type { Clock, Log, Metrics } from '../ports/process.ts';
import { StartError } from './start-error.ts';

export type ServiceClock = { readonly clock: Clock; stop(): Promise<void> };

/** Machine time between two reads of the mark. */
const LOOK_MS = 1000;
/** A wall clock that differs more is reported. Synchronised clocks never differ by this much. */
const MOST_APART_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Opens the clock that all processes on this database share. Service time counts from one stored origin. The machine
 * time below it starts at the wall clock or at the stored mark, whichever is later. Each process moves the mark and
 * follows it, so that a forward step of any wall clock reaches all processes.
 * @param metrics receives how late each run of an `every` task begins
 * @throws StartError if the stored scale differs, or if the wall clock is a day ahead of the database's
 */
export async function openServiceClock(
  mongo: Mongo,
  scale: number,
  log: Log,
  metrics: Pick<Metrics, 'observe'>,
): Promise<ServiceClock> {
  const mark = createClockMark(mongo);
  const machine = new MachineTime();
  const wallMs = machine.now();
  const row = await mark.move({ reachedMs: 0, wallMs, scale });
  if (row.scale !== scale) {
    throw new StartError(
      `This database runs with CLOCK_SCALE=${row.scale}. Start with the same value, or use another database.`,
    );
  }
  if (row.markMs < wallMs) {
    const hours = Math.round((wallMs - row.seenOn.getTime()) / HOUR_MS);
    throw new StartError(
      `The clock of this machine is ${hours} hours ahead of the database's. Correct the wrong clock, then start again.`,
    );
  }
  machine.adopt(row.markMs);
  machine.setWall(row.seenOn.getTime());
  const clock = createClock(row.scale, row.originMs, machine, (lateMs) =>
    metrics.observe('event_loop_delay_seconds', lateMs / 1000, {}),
  );
  // The mark may be as old as one interval: another process may have used later times already.
  if (row.markMs > wallMs) await clock.real.sleep(LOOK_MS);
  return { clock, stop: follow(mark, machine, clock, log) };
}

/** Moves the mark and follows it until it is stopped. */
function follow(mark: ClockMark, machine: MachineTime, clock: Clock, log: Log): ServiceClock['stop'] {
  const { real, scale } = clock;
  const survive = keepGoing(log, 'service clock');
  const tell = tellApart(log);
  let running: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const { markMs, seenOn } = await mark.move({ reachedMs: machine.now(), wallMs: wallOfMachine(), scale });
    machine.adopt(markMs);
    machine.setWall(seenOn.getTime());
    tell(wallOfMachine() - machine.now());
  };
  const stopLooking = real.every(LOOK_MS, () => {
    running ??= survive(look).finally(() => {
      running = null;
    });
  });
  return async () => {
    stopLooking();
    await running;
  };
}

/** Logs once when the wall clock departs from service time, and once when it agrees again. */
function tellApart(log: Log): (aheadMs: number) => void {
  let isApart = false;
  return (aheadMs) => {
    const wasApart = isApart;
    isApart = Math.abs(aheadMs) > MOST_APART_MS;
    if (isApart && !wasApart) {
      log.error({ ahead_ms: aheadMs }, 'the wall clock of this machine has jumped; service time does not follow it');
    }
    if (!isApart && wasApart) log.warn({}, 'the wall clock of this machine agrees with service time again');
  };
}
