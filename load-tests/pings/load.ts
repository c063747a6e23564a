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
  readonly ping: PingFrame;
  /** The place around which a courier moves, by its number. */
  readonly homeOf: (index: number) => { lat: number; lng: number };
  /** Receives acknowledgements and frames while the load runs. */
  ears: { onAck: (id: number, json: string) => void; onFrame: (sentAt: number) => void } | null;
  /** Pings sent in all runs. The numbers of messages and fixes continue from it. */
  sent: number;
};

export type LoadResult = {
  readonly acked: number;
  readonly refused: number;
  readonly frames: number;
  readonly cpuUsPerPing: number;
  readonly ackMs: { p50: number; p99: number };
  readonly readerMs: { p50: number; p99: number };
  /** The delay of the generator itself. Above 5 ms, the run is useless. */
  readonly generatorP99Ms: number;
};

const STEP_MS = 4;
const SETTLE_MS = 500;
/** Couriers go to and fro in steps that are too long to count as standing still. */
const STEP_DEGREES = 0.00012;
const TURN = 60;

/** Sends `rate` pings a second for `seconds`, spread over all couriers, and counts the answers. */
export async function runLoad(contender: Contender, rate: number, seconds: number): Promise<LoadResult> {
  const ackLag = createHistogram();
  const readerLag = createHistogram();
  const generatorLag = createHistogram();
  const dueAt = new Map<number, number>();
  const counts = { acked: 0, refused: 0, frames: 0 };
  contender.ears = {
    onAck: (id, json) => {
      const due = dueAt.get(id);
      dueAt.delete(id);
      if (due !== undefined) recordMs(ackLag, performance.now() - due);
      if (json.includes('"ok":true') && !json.includes('slow_down_ms')) counts.acked += 1;
      else counts.refused += 1;
    },
    onFrame: (sentAt) => {
      counts.frames += 1;
      recordMs(readerLag, Date.now() - sentAt);
    },
  };
  const total = rate * seconds;
  const cpuBefore = cpuNs(contender.pid);
  const startedAt = performance.now();
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * rate) + 1);
    for (; sent < due; sent += 1) {
      const scheduled = startedAt + (sent / rate) * 1000;
      recordMs(generatorLag, Math.max(0, performance.now() - scheduled - STEP_MS));
      dueAt.set(sendOne(contender), scheduled);
    }
    await pause(STEP_MS);
  }
  await pause(SETTLE_MS);
  const cpuUs = (cpuNs(contender.pid) - cpuBefore) / 1000;
  contender.ears = null;
  return { ...counts, cpuUsPerPing: cpuUs / Math.max(1, counts.acked), ...lags(ackLag, readerLag, generatorLag) };
}

function sendOne(contender: Contender): number {
  const { couriers, ping, sent, homeOf } = contender;
  const index = sent % couriers.length;
  const round = Math.floor(sent / couriers.length);
  const id = FIRST_ID + (sent % (LAST_ID - FIRST_ID));
  const phase = round % (2 * TURN);
  const steps = phase < TURN ? phase : 2 * TURN - phase;
  const { lat, lng } = homeOf(index);
  ping.patch(id, FIRST_SEQ + round, Date.now(), lat + steps * STEP_DEGREES, lng);
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
