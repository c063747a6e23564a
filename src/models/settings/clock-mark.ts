import type { Mongo } from '../../engines/mongo.ts';
import { kindOf } from '../../engines/shapes/shape.ts';
import { type ClockRow, SETTINGS } from '../setting-shapes.ts';

/** A process's view of time when it looks at the mark: the time that it has reached, and its wall clock. */
export type Reached = { readonly reachedMs: number; readonly wallMs: number; readonly scale: number };

export type ClockMark = {
  /** Moves the mark forward to the latest of itself and both times. Returns the row. The first call creates it. */
  move(reached: Reached): Promise<ClockRow>;
};

/** A wall clock that is further ahead of the database's has a wrong date. No time zone differs by so much. */
const MOST_AHEAD_MS = 24 * 3_600_000;

/** The time that all processes on this database share: one row. A wall clock that is surely wrong does not move it. */
export function createClockMark(mongo: Mongo): ClockMark {
  const rows = mongo.collection(kindOf(SETTINGS, 'clock'));
  const mostMs = { $add: [{ $toLong: '$$NOW' }, MOST_AHEAD_MS] };
  return {
    move: async ({ reachedMs, wallMs, scale }) => {
      const soundWallMs = { $cond: [{ $lte: [wallMs, mostMs] }, wallMs, null] };
      const set = {
        originMs: { $ifNull: ['$originMs', wallMs] },
        scale: { $ifNull: ['$scale', scale] },
        markMs: { $max: ['$markMs', reachedMs, soundWallMs] },
        seenOn: '$$NOW',
      };
      const row = await rows.findOneAndUpdate({ _id: 'clock' }, [{ $set: set }], {
        upsert: true,
        returnDocument: 'after',
        // If a failover rolls the mark back, the next look writes it again.
        writeConcern: { w: 1 },
      });
      if (row === null) throw new Error('an upsert returns the row');
      return row;
    },
  };
}
