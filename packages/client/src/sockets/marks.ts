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
  forget(deliveryId: string): void;
  /** The latest marks, at most `most`, for a handshake. */
  newest(most: number): Record<string, number>;
};

/** Most marks in memory. The oldest are dropped first, and their deliveries count as not seen. */
const MOST_MARKS = 5000;

export function createMarks(): Marks {
  const marks = new Map<string, number>();
  return {
    judge: (deliveryId, sequence) => judgeSequence(marks.get(deliveryId), sequence),
    raise: (deliveryId, sequence) => {
      const kept = Math.max(sequence, marks.get(deliveryId) ?? 0);
      marks.delete(deliveryId);
      marks.set(deliveryId, kept);
      if (marks.size > MOST_MARKS) forgetOldest(marks);
    },
    get: (deliveryId) => marks.get(deliveryId),
    forget: (deliveryId) => void marks.delete(deliveryId),
    newest: (most) => Object.fromEntries([...marks].slice(-most)),
  };
}

/** Compares a number with the newest known one. The first number of a delivery is never a gap. */
export function judgeSequence(mark: number | undefined, sequence: number): Verdict {
  if (mark === undefined) return 'next';
  if (sequence <= mark) return 'known';
  return sequence === mark + 1 ? 'next' : 'gap';
}

function forgetOldest(marks: Map<string, number>): void {
  for (const oldest of marks.keys()) {
    marks.delete(oldest);
    return;
  }
}
