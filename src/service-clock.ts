import { createClock } from './clock.ts';
import type { Mongo } from './models/mongo.ts';
import type { Clock } from './ports.ts';
import { StartError } from './start-error.ts';

type ClockRow = { _id: string; originMs: number; scale: number };

/**
 * The clock every process on this database shares: service time is counted from one stored origin. Refuses to start
 * with another scale than the stored one, since stored times would mean something else.
 */
export async function openServiceClock(mongo: Mongo, scale: number): Promise<Clock> {
  const rows = mongo.collection<ClockRow>('settings');
  const mine: ClockRow = { _id: 'clock', originMs: createClock().real.now(), scale };
  const stored = await rows.findOneAndUpdate(
    { _id: 'clock' },
    { $setOnInsert: mine },
    { upsert: true, returnDocument: 'after' },
  );
  const row = stored ?? mine;
  if (row.scale !== scale) {
    throw new StartError(
      `This database runs with CLOCK_SCALE=${row.scale}; start with that, or give it another database.`,
    );
  }
  return createClock(row.scale, row.originMs);
}
