// Open-loop load on one contender: pings leave at their scheduled time, no matter how fast the server is.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { percentileMs, recordMs } from '../statistics.ts';
import type { FrameClient } from '../clients/swarm.ts';
import { cpuNs } from './pinned.ts';
import { FIRST_ID, FIRST_SEQ, LAST_ID, type PingFrame } from './wire.ts';

/** One kind of server with its couriers and readers connected. */
export type Contender = {
  readonly name: string;
  readonly pid: number;
  readonly couriers: readonly FrameClient[];
  /** Makes the ping with so many fixes. */
  readonly pingOf: (fixes: number) => PingFrame;
  /** The place around which a courier moves, by its number. */
  readonly homeOf: (index: number) => { lat: number; lng: number };
  /** Receives acknowledgements and frames while the load runs. */
  ears: { onAck: (id: number, json: string) => void; onFrame: (sentAt: number) => void } | null;
  /** Pings sent in all runs. The numbers of messages continue from it. */
  sent: number;
  /** Fixes sent in all runs, by the number of the courier. The numbers and places of fixes continue from it. */
  readonly moves: number[];
};

export type LoadResult = {
  /** Fixes that the server accepted, and those that it did not. */
  readonly acked: number;
  readonly refused: number;
  /** Pings without an answer some seconds after the last one was sent. */
  readonly unanswered: number;
  readonly frames: number;
  /** The CPU time of the server for each accepted fix. */
  readonly cpuUsPerPing: number;
  readonly ackMs: { p50: number; p99: number };
  readonly readerMs: { p50: number; p99: number };
  /** The delay of the generator itself. Above 5 ms, the run is useless. */
  readonly generatorP99Ms: number;
};

const STEP_MS = 4;
/** The shortest and the longest wait for answers and frames of the last pings. */
const SETTLE_MS = 500;
const MOST_SETTLE_MS = 5000;
/** Couriers go to and fro in steps that are too long to count as standing still. */
const STEP_DEGREES = 0.00012;
const TURN = 60;
/** The time between two fixes of a ping. All of them are newer than those of an earlier run, which ended 500 ms before. */
const APART_MS = 80;
/** The most fixes of a ping whose times keep to that. */
export const MOST_FIXES = 6;

/** Sends `rate` fixes a second for `seconds`, spread over all couriers, so many in each ping. Counts the answers. */
export async function runLoad(
  contender: Contender,
  rate: number,
  seconds: number,
  fixes: number = 1,
): Promise<LoadResult> {
  const ping = contender.pingOf(fixes);
  const pingsPerS = rate / fixes;
  const ackLag = createHistogram();
  const readerLag = createHistogram();
  const generatorLag = createHistogram();
  const dueAt = new Map<number, number>();
  const counts = { acked: 0, refused: 0, frames: 0 };
  contender.ears = {
    onAck: (id, json) => {
      const due = dueAt.get(id);
      // It answers a ping of an earlier run.
      if (due === undefined) return;
      dueAt.delete(id);
      recordMs(ackLag, performance.now() - due);
      const accepted = acceptedIn(json, fixes);
      counts.acked += accepted;
      counts.refused += fixes - accepted;
    },
    onFrame: (sentAt) => {
      counts.frames += 1;
      recordMs(readerLag, Date.now() - sentAt);
    },
  };
  const total = pingsPerS * seconds;
  const cpuBefore = cpuNs(contender.pid);
  const [startedAt, startedOn] = [performance.now(), Date.now()];
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * pingsPerS) + 1);
    for (; sent < due; sent += 1) {
      const afterMs = (sent / pingsPerS) * 1000;
      const scheduled = startedAt + afterMs;
      recordMs(generatorLag, Math.max(0, performance.now() - scheduled - STEP_MS));
      dueAt.set(sendOne(contender, ping, fixes, Math.floor(startedOn + afterMs)), scheduled);
    }
    await pause(STEP_MS);
  }
  const endedAt = performance.now();
  do await pause(SETTLE_MS);
  while (dueAt.size > 0 && performance.now() - endedAt < MOST_SETTLE_MS);
  const cpuUs = (cpuNs(contender.pid) - cpuBefore) / 1000;
  contender.ears = null;
  const cpuUsPerPing = cpuUs / Math.max(1, counts.acked);
  return { ...counts, unanswered: dueAt.size, cpuUsPerPing, ...lags(ackLag, readerLag, generatorLag) };
}

/** How many fixes of a ping the server accepted. Servers that accept every fix do not name the number. */
function acceptedIn(json: string, fixes: number): number {
  if (!json.includes('"ok":true') || json.includes('slow_down_ms')) return 0;
  return Number(/"accepted":(\d+)/u.exec(json)?.[1] ?? fixes);
}

/**
 * Sends a ping whose newest fix is of this time, epoch ms. That is the time at which the ping was due, so fixes of a courier are
 * apart also if the generator is late, and the lag of readers contains its delay.
 */
function sendOne(contender: Contender, ping: PingFrame, fixes: number, newestAt: number): number {
  const { couriers, moves, sent, homeOf } = contender;
  const index = sent % couriers.length;
  const id = FIRST_ID + (sent % (LAST_ID - FIRST_ID));
  const { lat, lng } = homeOf(index);
  ping.number(id);
  for (let place = 0; place < fixes; place += 1) {
    const move = moves[index] ?? 0;
    const phase = move % (2 * TURN);
    const steps = phase < TURN ? phase : 2 * TURN - phase;
    const at = newestAt - (fixes - 1 - place) * APART_MS;
    ping.patch(place, FIRST_SEQ + move, at, lat + steps * STEP_DEGREES, lng);
    moves[index] = move + 1;
  }
  // The frame may be patched again before it is written, so each send needs its own bytes.
  couriers[index]?.send(Buffer.from(ping.frame));
  contender.sent += 1;
  return id;
}

function lags(ack: RecordableHistogram, reader: RecordableHistogram, generator: RecordableHistogram) {
  return {
    ackMs: { p50: percentileMs(ack, 50), p99: percentileMs(ack, 99) },
    readerMs: { p50: percentileMs(reader, 50), p99: percentileMs(reader, 99) },
    generatorP99Ms: percentileMs(generator, 99),
  };
}
