/**
 * The meaning of an event's number for a reader. A `known` event is dropped, and the `next` one is applied. After a `gap`
 * the reader must request missed events.
 */
export type Verdict = 'known' | 'next' | 'gap';

/** The newest event number of each delivery that a reader has seen. */
export type Marks = {
  judge(deliveryId: string, sequence: number): Verdict;
  /** Records a number. Marks never decrease. */
  raise(deliveryId: string, sequence: number): void;
  get(deliveryId: string): number | undefined;
  /** Whether marks are dropped, so that a delivery without one may be known all the same. */
  isFull(): boolean;
  /** Notes that a delivery has ended. Its mark stays, because more events may follow. */
  end(deliveryId: string): void;
  /** The latest marks, at most `most`, for a handshake. Those of open deliveries go before those of ended ones. */
  newest(most: number): Record<string, number>;
};

/** Most marks in memory. The oldest of ended deliveries are dropped first. Their deliveries count as not seen. */
const MOST_MARKS = 5000;

/** @param lastSeq the marks of an earlier run */
export function createMarks(lastSeq: Readonly<Record<string, number>> = {}): Marks {
  const marks = new Map(Object.entries(lastSeq).slice(-MOST_MARKS));
  const ended = new Set<string>();
  const forget = (deliveryId: string): void => {
    marks.delete(deliveryId);
    ended.delete(deliveryId);
  };
  return {
    judge: (deliveryId, sequence) => judgeSequence(marks.get(deliveryId), sequence),
    raise: (deliveryId, sequence) => {
      const kept = Math.max(sequence, marks.get(deliveryId) ?? 0);
      marks.delete(deliveryId);
      marks.set(deliveryId, kept);
      if (marks.size > MOST_MARKS) [...firstOf(ended), ...firstOf(marks.keys())].slice(0, 1).forEach(forget);
    },
    get: (deliveryId) => marks.get(deliveryId),
    isFull: () => marks.size >= MOST_MARKS,
    end: (deliveryId) => {
      if (marks.has(deliveryId)) ended.add(deliveryId);
    },
    newest: (most) => {
      const isEnded = ([deliveryId]: readonly [string, number]): boolean => ended.has(deliveryId);
      const byEnd = [...[...marks].filter(isEnded), ...[...marks].filter((mark) => !isEnded(mark))];
      return Object.fromEntries(byEnd.slice(-most));
    },
  };
}

/** Compares a number with the newest known one. The first number of a delivery is never a gap. */
export function judgeSequence(mark: number | undefined, sequence: number): Verdict {
  if (mark === undefined) return 'next';
  if (sequence <= mark) return 'known';
  return sequence === mark + 1 ? 'next' : 'gap';
}

function firstOf(ids: Iterable<string>): string[] {
  for (const first of ids) return [first];
  return [];
}
