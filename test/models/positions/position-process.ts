import { onTestFinished } from 'vitest';
import type { Position } from '../../../src/domain/couriers/position.ts';
import { createPositionIndex } from '../../../src/models/positions/position-index.ts';
import { defaultSettings, type Settings } from '../../../src/settings.ts';
import { handClock, type HandClock } from '../../clock.ts';
import type { TestEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { keptLog, keptMetrics } from '../../kept-ports.ts';
import { connectFor } from '../../engines/redis-house.ts';

export const TICK_MS = 100;

type Given = { at: TestEngines; clock?: HandClock; settings?: Settings; redisNow?: () => number };

/** Another process with a running index. The test also moves the time that Redis reports. */
export async function aProcess({ at, clock = handClock(), settings = defaultSettings(), redisNow }: Given) {
  const msOfRedis = redisNow ?? (() => clock.now());
  const redis = { ...(await connectFor(at)), now: () => Promise.resolve(msOfRedis()) };
  const metrics = keptMetrics();
  const log = keptLog();
  const index = createPositionIndex({ redis, clock, settings, metrics, log });
  const batches: (readonly Position[])[] = [];
  index.onBatch((batch) => batches.push(batch));
  await index.start();
  onTestFinished(() => index.stop());
  const written = (): number => metrics.counts.get('positions_writes') ?? 0;
  /** Runs one tick and waits for its writes. */
  const tick = async (): Promise<void> => {
    const before = written();
    await clock.advance(TICK_MS);
    await until(() => written() > before);
  };
  return { redis, clock, index, metrics, batches, tick, log };
}
